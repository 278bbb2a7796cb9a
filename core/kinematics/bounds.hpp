// Bounds of the second derivatives of the constraint equations over a box about a position, and of their rounding
// errors.
#pragma once
#include "../number/bound.hpp"
#include "../rows/derive.hpp"
#include "../system.hpp"
#include "evaluate.hpp"

namespace mubo {

template <template <class> class Pose>
Pose<Bound> over_bounds(const Pose<double>&);  // the same kind of pose over bounds; for its type only

// Per equation: bend (Lipschitz constant of its line of J), slope (of its value) and error (rounding of its value),
// over the box |q_k - at_k| <= radius / weight_k, displacements counted in 1 / weight. A bend without bound is
// infinite.
template <class System>
void evaluate_bounds(const System& s, const double* q, const double* motion, const double* weight, double radius,
                     double* bend, double* slope, double* error) {
    constexpr int width = System::width;
    const auto pose = s.poses();
    s.for_each([&](auto row, const Instance& at) {
        using Row = decltype(row);
        using BoundPose = decltype(over_bounds(pose[0]));
        BoundPose b[Row::bodies];
        for (int k = 0; k < Row::bodies; ++k) {
            const int body = at.body[k];
            b[k] = promote<Bound>(pose[body], [&](int c, double value) {
                if (body >= s.free_bodies) return Bound(value);
                const int unknown = width * body + c;
                return Bound::variable(q[unknown], radius / weight[unknown], 1 / weight[unknown]);
            });
        }
        Bound p[Row::parameters], out[Row::rows];
        for (int k = 0; k < Row::parameters; ++k) p[k] = Bound(s.parameter[at.parameter + k]);
        formula<Row>(b, p, Bound(*motion_of(at, motion)), s.profile_of(at), out);
        for (int r = 0; r < Row::rows; ++r) {
            const double lost = std::numeric_limits<double>::infinity();
            bend[at.row + r] = out[r].bounded() ? out[r].bend : lost;
            slope[at.row + r] = out[r].bounded() ? out[r].slope : lost;
            error[at.row + r] = out[r].bounded() ? out[r].error : lost;
        }
    });
}

}  // namespace mubo
