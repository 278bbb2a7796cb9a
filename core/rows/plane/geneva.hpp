// The pin of a crank (body i) in the slots of a Geneva wheel (body j), which dwells while the pin is outside:
//   |a| < pi/2 - pi/n:  Phi = phi_j + s - angle(Q - P_j)          the slot points to the pin Q
//   else:               Phi = phi_j + s - angle(P_i - P_j) + sign(a) pi/n   the lock of the crank's disc
// modulo 2 pi/n, with a the angle of Q - P_i against P_j - P_i. Both agree at the mouth of a slot where the crank is
// R = c sin(pi/n) long, c the distance of the centres; rates agree there too, accelerations do not.
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
        using std::atan2;
        constexpr double pi = 3.14159265358979323846;
        const T half = T(pi) / p[7];  // of the angle of a slot
        const double edge = pi / 2 - middle(half);
        const auto O = b[0].place(p[0], p[1]), P = b[1].place(p[2], p[3]), Q = b[0].place(p[4], p[5]);
        const auto d = P - O, r = Q - O, to_pin = Q - P;
        const T a = atan2(cross(d, r), dot(d, r)), turned = b[1].phi + p[6];
        if constexpr (std::is_same_v<T, Bound>) {
            if (a.most() >= edge && a.least() <= edge) {  // accelerations jump at the mouth of a slot
                out[0] = Bound::none();
                return;
            }
        }
        const T sense(middle(a) > 0 ? 1 : -1), angle = std::fabs(middle(a)) < edge
                                                           ? turned - atan2(to_pin.y, to_pin.x)
                                                           : turned - atan2(-d.y, -d.x) + sense * half;
        T turns(std::round(middle(angle) / (2 * middle(half))));
        if constexpr (std::is_same_v<T, Bound>)  // of any box: a turn of a slot does not bend
            turns.high = std::ceil(angle.most() / (2 * half.least())), turns.low = -turns.high;
        out[0] = angle - T(2) * turns * half - f;
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
