// The Jacobian d(dy/dt)/dy of a tree's state by central differences, for implicit methods.
//
// The increment is a fixed fraction of the scale of the entry: a radian, a typical length, and for a velocity its own
// magnitude where that is larger. It does not depend on the derivative, so an ignorable coordinate keeps its increment;
// and it does not grow with an angle over many turns. Without nonlinear loads accelerations are quadratic in the
// velocities, for which central differences are exact.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "dynamics.hpp"

namespace mubo {

// J [states][states], by columns of the state. Where one side of an entry cannot be evaluated, a one-sided difference
// is used.
inline Fault jacobian(const TreeSystem& s, double t, const double* y, double length, TreeWork& work, double* J) {
    const int n = s.states();
    const double part = std::cbrt(std::numeric_limits<double>::epsilon());
    std::vector<double> at(y, y + n), ahead(n), behind(n), here(n);
    Fault fault = state_rates(s, t, y, work, here.data());
    if (fault.status != done) return fault;
    const auto column = [&](int i, double step) {
        const double forth = y[i] + step, back = y[i] - step;
        at[i] = forth;
        const Fault before = state_rates(s, t, at.data(), work, ahead.data());
        at[i] = back;
        const Fault after = state_rates(s, t, at.data(), work, behind.data());
        at[i] = y[i];
        if (before.status != done && after.status != done) return before;
        const std::vector<double>&far = before.status == done ? ahead : here,
              &near = after.status == done ? behind : here;
        const double width = (before.status == done ? forth : y[i]) - (after.status == done ? back : y[i]);
        for (int row = 0; row < n; ++row) J[static_cast<size_t>(row) * n + i] = (far[row] - near[row]) / width;
        return Fault{};
    };
    std::fill(J, J + static_cast<size_t>(n) * n, 0.0);  // nothing depends on the energies dissipated and supplied
    for (const Link& l : s.link) {
        if (l.law >= 0) continue;  // driven entries are not read
        const double unit = l.kind == slide || l.kind == shift ? length : 1.0;
        for (int c = 0; c < kind_positions[l.kind] && fault.status == done; ++c) fault = column(l.q + c, part * unit);
        for (int c = 0; c < kind_velocities[l.kind] && fault.status == done; ++c) {
            const int i = s.positions + l.v + c;
            fault = column(i, part * std::fmax(std::fabs(y[i]), unit));
        }
    }
    return fault;
}

}  // namespace mubo
