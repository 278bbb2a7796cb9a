// Inverse dynamics of a known motion: lam of M a + J' lam = Q at a row, J in twists, and the joint reactions from lam.
#pragma once
#include <vector>

#include "../kinematics/evaluate.hpp"
#include "../linear/lu.hpp"
#include "inertial_wrench.hpp"

namespace mubo {

// Q - M a of every moving body at one row; `on` are the loads on the bodies, [body][dofs].
template <class System>
void unbalanced_forces(const System& s, const typename System::Pose* pose, const double* mass, const double* g,
                       const double* state, const double* on, double* out) {
    using Mass = MassOf<typename System::Pose>;
    constexpr int width = System::width, n = System::dofs;
    const double *v = state + s.unknowns(), *a = v + s.unknowns();
    for (int b = 0; b < s.free_bodies; ++b) {
        double inertial_wrench[n];
        components(Mass::inertial_wrench(mass + Mass::numbers * b, g, pose[b], v + width * b, a + width * b),
                   inertial_wrench);
        for (int c = 0; c < n; ++c) out[n * b + c] = on[n * b + c] - inertial_wrench[c];
    }
}

// Solves J' lam = right with as many independent equations as the moving bodies have degrees of freedom.
template <class System>
class Multipliers {
  public:
    Multipliers(const System& s, const std::vector<int>& active)
        : s_(s), n_(System::dofs * s.free_bodies), slot_(s.equations, -1), active_(active), lu_(n_) {
        for (int k = 0; k < n_; ++k) slot_[active[k]] = k;
    }

    // Overwrites right; lam of equations that are not active is zero. False where the position is singular.
    bool solve(const typename System::Pose* pose, const double* motion, double* right, double* lam) {
        lu_.clear();
        evaluate_twist_jacobian(s_, pose, motion, [&](int r, int c, double value) {
            if (slot_[r] >= 0) lu_.row(c)[slot_[r]] += value;
        });
        if (!lu_.factor()) return false;
        lu_.solve(right);
        for (int r = 0; r < s_.equations; ++r) lam[r] = 0;
        for (int k = 0; k < n_; ++k) lam[active_[k]] = right[k];
        return true;
    }

  private:
    const System& s_;
    int n_;
    std::vector<int> slot_, active_;
    DenseLU lu_;
};

// The reaction of some rows on a body, about a point fixed in a carrier body, which may be another one.
template <class System>
struct Reaction {
    int body, carrier;
    double point[MassOf<typename System::Pose>::World::dimension];  // in the axes of the carrier
};

inline Vector2<double> arm_of(const Pose<double>& body, const Pose<double>& carrier, const double* s) {
    return carrier.place(s[0], s[1]) - Vector2<double>{body.x, body.y};
}
inline Vector arm_of(const Pose3<double>& body, const Pose3<double>& carrier, const double* s) {
    return carrier.place(s) - body.r;
}
// Transfers the moment from the origin of a body to the point at the distance `arm`.
inline void move_moment(const Vector2<double>& arm, double* f) {
    f[2] -= cross(arm, Vector2<double>{f[0], f[1]});
}
inline void move_moment(const Vector& arm, double* f) {
    const Vector n = cross(arm, Vector{f[0], f[1], f[2]});
    f[3] -= n.x;
    f[4] -= n.y;
    f[5] -= n.z;
}

// Forces and moments of all reactions at one row: out[reaction][dofs]. `of_row[row as given]` are the indices of the
// reactions that a row belongs to.
template <class System>
void evaluate_reactions(const System& s, const std::vector<Reaction<System>>& reactions,
                        const std::vector<std::vector<int>>& of_row, const typename System::Pose* pose,
                        const double* motion, const double* lam, double* out) {
    constexpr int n = System::dofs;
    std::fill_n(out, reactions.size() * n, 0.0);
    for_each_twist_jacobian(s, pose, motion, [&](auto row, const Instance& at, const double* J) {
        using Row = decltype(row);
        for (const int number : of_row[at.number])
            for (int k = 0; k < Row::bodies; ++k)
                if (at.body[k] == reactions[number].body)
                    for (int r = 0; r < Row::rows; ++r)
                        for (int c = 0; c < n; ++c)
                            out[number * n + c] -= lam[at.row + r] * J[(r * Row::bodies + k) * n + c];
    });
    for (size_t k = 0; k < reactions.size(); ++k)
        move_moment(arm_of(pose[reactions[k].body], pose[reactions[k].carrier], reactions[k].point), out + k * n);
}

}  // namespace mubo
