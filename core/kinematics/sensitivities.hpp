// Sensitivities of a motion to a parameter p, by direct differentiation of Phi = 0, dPhi/dt = 0 and d2Phi/dt2 = 0:
//   J q_p = -Phi_p,   J v_p = -(dPhi/dt)_p,   J a_p = -(d2Phi/dt2)_p   (Haug, Choi, Komkov 1986, chapter 4)
// The right sides are the formulas of the rows over numbers with derivatives by time and p: they contain the explicit
// dependence on p and the sensitivities of lower order.
#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

#include "../linear/lu.hpp"
#include "../rows/derive.hpp"
#include "../system.hpp"
#include "evaluate.hpp"

namespace mubo {

using TaylorDual = TaylorOf<Dual<1>>;  // derivatives by time and by one parameter

// Explicit derivatives by one parameter: of the numbers of the rows, of the poses of fixed bodies, of f, f', f'' of the
// drivers, of the coefficients of the profiles (one after the other; null where there are none).
struct ParameterDerivatives {
    const double *parameter, *fixed, *motion, *profile;
};

inline Dual<1> with_derivative(double value, double slope) {
    Dual<1> x(value);
    x.d[0] = slope;
    return x;
}

template <class System>
class Sensitivities {
  public:
    explicit Sensitivities(const System& s)
        : s_(s),
          n_(s.unknowns()),
          place_(s.equations, -1),
          pose_(s.poses()),
          change_(3 * s.equations),
          right_(n_),
          lu_(n_),
          first_(s.profile.size()) {
        for (size_t k = 1; k < s.profile.size(); ++k)
            first_[k] = first_[k - 1] + static_cast<int>(s.profile[k - 1].coefficient.size());
    }

    // Factorises J of the `active` equations at a state; returns false where it is singular.
    bool at(const int* active, const double* state, const double* motion) {
        std::fill(place_.begin(), place_.end(), -1);
        for (int k = 0; k < n_; ++k) place_[active[k]] = k;
        state_ = state;
        motion_ = motion;
        s_.place(state, pose_.data());
        lu_.clear();
        evaluate_jacobian(s_, pose_.data(), motion, [&](int r, int c, double value) {
            if (place_[r] >= 0) lu_.row(place_[r])[c] += value;
        });
        return lu_.factor();
    }

    // q_p, v_p and a_p of one parameter; `open` keeps the largest residual |dPhi/dp| of each equation.
    void along(const ParameterDerivatives& by, double* slope, double* open) {
        const int m = s_.equations;
        std::fill(slope, slope + 3 * n_, 0.0);
        for (int order = 0; order < 3; ++order) {
            evaluate(by, slope);
            for (int r = 0; r < m; ++r)
                if (place_[r] >= 0) right_[place_[r]] = -change_[order * m + r];
            lu_.solve(right_.data());
            std::copy(right_.begin(), right_.end(), slope + order * n_);
        }
        for (int r = 0; r < m; ++r) open[r] = std::fmax(open[r], std::fabs(change_[r]));
    }

  private:
    // Derivatives of Phi, dPhi/dt and d2Phi/dt2 by the parameter, for the derivatives `slope` of the states.
    void evaluate(const ParameterDerivatives& by, const double* slope) {
        s_.for_each([&](auto row, const Instance& at) {
            using Row = decltype(row);
            evaluate_row<Row>(by, slope, at);
        });
    }

    template <class Row>
    void evaluate_row(const ParameterDerivatives& by, const double* slope, const Instance& at) {
        typename System::template PoseWith<TaylorDual> b[Row::bodies];
        for (int k = 0; k < Row::bodies; ++k)
            b[k] = promote<TaylorDual>(pose_[at.body[k]], [&](int c, double value) {
                const int body = at.body[k], i = System::width * body + c;
                if (body >= s_.free_bodies)
                    return TaylorDual(with_derivative(value, by.fixed[i - n_]), Dual<1>(0), Dual<1>(0));
                return TaylorDual(with_derivative(value, slope[i]), with_derivative(state_[n_ + i], slope[n_ + i]),
                                  with_derivative(state_[2 * n_ + i], slope[2 * n_ + i]));
            });
        TaylorDual p[Row::parameters], f(0), out[Row::rows];
        for (int k = 0; k < Row::parameters; ++k)
            p[k].v = with_derivative(s_.parameter[at.parameter + k], by.parameter[at.parameter + k]);
        if (at.driver >= 0) {
            const double *value = motion_ + 3 * at.driver, *change = by.motion + 3 * at.driver;
            f = TaylorDual(with_derivative(value[0], change[0]), with_derivative(value[1], change[1]),
                           with_derivative(value[2], change[2]));
        }
        const VaryingProfile profile = {s_.profile_of(at),
                                        by.profile && at.profile >= 0 ? by.profile + first_[at.profile] : nullptr};
        formula<Row>(b, p, f, &profile, out);
        for (int r = 0; r < Row::rows; ++r) {
            change_[at.row + r] = out[r].v.d[0];
            change_[s_.equations + at.row + r] = out[r].d.d[0];
            change_[2 * s_.equations + at.row + r] = out[r].dd.d[0];
        }
    }

    const System& s_;
    int n_;
    const double *state_ = nullptr, *motion_ = nullptr;
    std::vector<int> place_;  // index of each equation among the active ones, -1 for others
    std::vector<typename System::Pose> pose_;
    std::vector<double> change_, right_;
    DenseLU lu_;
    std::vector<int> first_;  // first coefficient of each profile
};

}  // namespace mubo
