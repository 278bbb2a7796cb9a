// The pin of a crank (body i) in the slots of a Geneva wheel (body j), which dwells while the pin is outside:
//   |a| < pi/2 - pi/n:  Phi = phi_j + s - angle(Q - P_j)          the slot points to the pin Q
//   else:               Phi = phi_j + s - angle(P_i - P_j) + sign(a) pi/n   the lock of the crank's disc
// modulo 2 pi/n, of which the smallest is taken, with a the angle of Q - P_i against P_j - P_i. Both agree at the mouth
// of a slot where the crank is R = c sin(pi/n) long, c the distance of the centres; rates agree there too,
// accelerations do not.
#pragma once
#include <cmath>
#include <type_traits>

#include "../../number/bound.hpp"
#include "../../number/plane.hpp"

namespace mubo::plane {

struct Geneva {
    static constexpr const char* name = "geneva";
    static constexpr int rows = 1, bodies = 2, parameters = 8;  // s_i (2), s_j (2), pin (2), slot angle, slots
    static constexpr bool analytic = false, profiled = false;

    template <class T>
    static void phi(const Pose<T>* b, const T* p, const T& f, T* out) {
        using std::atan2, std::cos, std::sin, std::sqrt;
        constexpr double pi = 3.14159265358979323846;
        const T half = T(pi) / p[7];  // of the angle of a slot
        const auto O = b[0].place(p[0], p[1]), P = b[1].place(p[2], p[3]), Q = b[0].place(p[4], p[5]);
        const auto d = P - O, r = Q - O;
        const T within = dot(d, r) - sin(half) * sqrt(dot(d, d) * dot(r, r));  // |a| is less than pi/2 - pi/n
        if constexpr (std::is_same_v<T, Bound>) {
            if (within.most() >= 0 && within.least() <= 0) {  // accelerations jump at the mouth of a slot
                out[0] = Bound::none();
                return;
            }
        }
        const T aside = middle(cross(d, r)) > 0 ? half : T(0) - half;
        const T c = cos(aside), s = sin(aside);
        const T x = middle(within) > 0 ? Q.x - P.x : T(0) - c * d.x - s * d.y;
        const T y = middle(within) > 0 ? Q.y - P.y : s * d.x - c * d.y;
        const T turned = b[1].phi + p[6];
        // Against the nearest slot: the angle is small there, and no cut of atan2 is near.
        const double apart = std::atan2(middle(y), middle(x)) - middle(turned);
        const T slot = turned + T(2 * std::round(apart / (2 * middle(half)))) * half;
        const T u = cos(slot), v = sin(slot);
        out[0] = T(0) - atan2(u * y - v * x, u * x + v * y) - f;
    }

  private:
    template <class T>
    static double middle(const T& a) {
        if constexpr (std::is_same_v<T, Bound>)
            return 0.5 * (a.low + a.high);
        else
            return value(a);
    }
};

}  // namespace mubo::plane
