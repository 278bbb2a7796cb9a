// A point of body j stays on a curve of body i:  Phi = D(A_i' (P_j - P_i)),  D the signed distance from the curve, in
// the axes of body i from the point P_i (number/curve.hpp).
#pragma once
#include "../../number/curve.hpp"

namespace mubo::plane {

struct Curve {
    static constexpr const char* name = "curve";
    static constexpr int rows = 1, bodies = 2, parameters = 5;  // s_i (2), s_j (2), reach of the curve
    static constexpr bool analytic = false, profiled = true;
    static constexpr int components = 2;  // of the curve

    template <class T, class Shape>
    static void phi(const Pose<T>* b, const T* p, const T& f, const Shape& curve, T* out) {
        const auto d = b[1].place(p[2], p[3]) - b[0].place(p[0], p[1]);
        const Vector2<T> own{b[0].c * d.x + b[0].s * d.y, b[0].c * d.y - b[0].s * d.x};
        out[0] = distance_from_curve(curve, own, p[4]) - f;
    }
};

}  // namespace mubo::plane
