// Cams of body i and followers of body j; f is the cam's profile at the angle where it is touched.
//   roller: the roller centre runs on the pitch curve,  Phi = |d| - f(theta),  theta = angle of d in cam axes
//   flat:   the face keeps its distance from the centre,  Phi = n . d - f(psi),  psi = angle of n in cam axes
// with d = P_j - P_i, P_i the cam's centre and n = A_j n_j the outward normal of the face.
#pragma once
#include "../../number/plane.hpp"

namespace mubo::plane {

struct CamRoller {
    static constexpr const char* name = "cam_roller";
    static constexpr int rows = 1, bodies = 2, parameters = 4;  // s_i (2), s_j (2)
    static constexpr bool analytic = false, profiled = true;
    static constexpr int components = 1;  // of the profile

    template <class T>
    static T angle(const Pose<T>* b, const T* p) {
        using std::atan2;
        const auto d = b[1].place(p[2], p[3]) - b[0].place(p[0], p[1]);
        return atan2(d.y, d.x) - b[0].phi;
    }
    template <class T>
    static void phi(const Pose<T>* b, const T* p, const T& f, T* out) {
        using std::sqrt;
        const auto d = b[1].place(p[2], p[3]) - b[0].place(p[0], p[1]);
        out[0] = sqrt(dot(d, d)) - f;
    }
};

struct CamFlat {
    static constexpr const char* name = "cam_flat";
    static constexpr int rows = 1, bodies = 2, parameters = 6;  // s_i (2), s_j (2), n (2)
    static constexpr bool analytic = false, profiled = true;
    static constexpr int components = 1;  // of the profile

    template <class T>
    static T angle(const Pose<T>* b, const T* p) {
        using std::atan2;
        return atan2(p[5], p[4]) + b[1].phi - b[0].phi;
    }
    template <class T>
    static void phi(const Pose<T>* b, const T* p, const T& f, T* out) {
        const auto d = b[1].place(p[2], p[3]) - b[0].place(p[0], p[1]);
        out[0] = dot(b[1].rotate(p[4], p[5]), d) - f;
    }
};

}  // namespace mubo::plane
