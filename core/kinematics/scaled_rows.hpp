// The lines of J made comparable: unknowns counted in radians or sizes of the mechanism, every line of length one. And
// which equations are of angles alone. What is decided by these depends neither on units nor on places.
#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

#include "evaluate.hpp"

namespace mubo {

// J over the weights of the unknowns, its lines scaled to length one (lines of zeros stay), and their lengths before.
template <class System>
void evaluate_scaled_jacobian(const System& s, const typename System::Pose* pose, const double* motion,
                              const double* weight, double* J, double* length) {
    const int n = s.unknowns();
    evaluate_jacobian(s, pose, motion, [&](int r, int c, double value) { J[r * n + c] += value; });
    for (int r = 0; r < s.equations; ++r) {
        double* line = J + r * n;
        double square = 0;
        for (int c = 0; c < n; ++c) line[c] /= weight[c], square += line[c] * line[c];
        length[r] = std::sqrt(square);
        if (!(length[r] > 0)) std::fill(line, line + n, 0.0);
        if (length[r] > 0)
            for (int c = 0; c < n; ++c) line[c] /= length[r];
    }
}

// Whether every line of J is farther than `least` from the span of those before it; overwrites J by an orthonormal
// basis (Gram-Schmidt, modified).
inline bool lines_are_independent(double* J, int lines, int n, double least) {
    for (int r = 0; r < lines; ++r) {
        double* line = J + r * n;
        for (int k = 0; k < r; ++k) {
            const double* unit = J + k * n;
            double along = 0;
            for (int c = 0; c < n; ++c) along += unit[c] * line[c];
            if (along == 0) continue;
            for (int c = 0; c < n; ++c) line[c] -= along * unit[c];
        }
        double square = 0;
        for (int c = 0; c < n; ++c) square += line[c] * line[c];
        const double away = std::sqrt(square);
        if (!(away > least)) return false;
        for (int c = 0; c < n; ++c) line[c] /= away;
    }
    return true;
}

// Per equation: 1 where no position enters it, so that it is one of angles, and in the plane its largest derivative by
// an angle, which is the change of Phi per radian (else 1). True where all angles of such an equation have factors of
// one size.
template <class System>
bool evaluate_equation_kinds(const System& s, const typename System::Pose* pose, const double* motion, double* turning,
                             double* radians) {
    constexpr int width = System::width, places = width == 3 ? 2 : 3;
    std::vector<double> largest(s.equations, 0.0), least(s.equations, HUGE_VAL);
    std::fill(turning, turning + s.equations, 1.0);
    evaluate_jacobian(s, pose, motion, [&](int r, int c, double value) {
        if (value == 0) return;
        if (c % width < places) turning[r] = 0;
        largest[r] = std::max(largest[r], std::fabs(value));
        least[r] = std::min(least[r], std::fabs(value));
    });
    bool even = true;
    for (int r = 0; r < s.equations; ++r) {
        const bool of_angles = width == 3 && turning[r] != 0 && largest[r] > 0;
        radians[r] = of_angles ? largest[r] : 1.0;
        even = even && (!of_angles || least[r] == largest[r]);
    }
    return even;
}

}  // namespace mubo
