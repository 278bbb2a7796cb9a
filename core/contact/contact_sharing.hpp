// Contact forces that equilibrium leaves open: shared so that none pulls and none exceeds its friction.
#pragma once
#include "contact_dynamics.hpp"
#include "coulomb_solver.hpp"

namespace mubo {

class ContactSharing : public ContactDynamics {
  public:
    using ContactDynamics::ContactDynamics;

  protected:
    CoulombSolver coulomb_;

    // The cones of the unknown forces of the last evaluation.
    void collect_cones() {
        coulomb_.cone.clear();
        for (int i = 0; i < static_cast<int>(unknown_.size()); ++i) {
            const auto [k, row] = unknown_[i];
            if (row == 0 && unit[k].kind != friction_unit) {
                coulomb_.cone.push_back({i, -1, 0, unit[k].static_friction, 0});
                continue;
            }
            const bool own = unit[k].kind == friction_unit || mode[k].normal != resting;
            const double most = unit[k].kind == friction_unit ? at[k].bound : unit[k].static_friction * at[k].force[0];
            if (own && row <= 1) coulomb_.cone.push_back({-1, i, 0, 0, most});
            if (coulomb_.cone.back().tangents++ == 0) coulomb_.cone.back().tangent = i;
        }
    }
    // Where equilibrium leaves the forces open and those of least norm pull or exceed their friction: others that do
    // not, if there are any. The motion is the same.
    void share_forces() {
        slack_ = 0;
        if (unknown_.empty() || !solver_.is_singular() || !s_.reaction_friction.empty()) return;
        collect_cones();
        coulomb_.x = solver_.x;
        double largest = 0, excess = 0, free = 1e-300, left = 0;
        for (double f : coulomb_.x) largest = std::fmax(largest, std::fabs(f));
        for (const FrictionCone& c : coulomb_.cone) excess = std::fmax(excess, coulomb_.excess(c));
        if (excess <= 0) return;
        coulomb_.solve(solver_.G, solver_.b, solver_.size());
        for (double one : solver_.b) free = std::fmax(free, std::fabs(one));
        for (double one : coulomb_.w) left = std::fmax(left, std::fabs(one));
        if (left > shared * free) return;
        std::swap(solver_.x, coulomb_.x);
        solver_.refine();
        for (const Unknown& u : unknown_) at[u.unit].force[u.row] = 0;
        set_forces();
        slack_ = shared * largest;
    }
    // Whether equilibrium determines the sums of normal and of tangential forces over the units of each element: such a
    // sum is a combination of the lines of G. Spoils the factors of the last solution.
    void find_determined() {
        determined_.assign(unit.size(), normals_known | frictions_known);
        if (unknown_.empty() || !solver_.is_singular()) return;
        const int n = solver_.size();
        const std::vector<double> G = solver_.G;
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j) solver_.G[i * n + j] = G[j * n + i];
        for (const Unknown& first : unknown_) {
            for (int part : {normals_known, frictions_known})
                if (!is_determined(unit[first.unit].element, part)) determined_[first.unit] &= ~part;
        }
    }
    bool is_determined(int element, int part) {
        const int n = solver_.size();
        for (int i = 0; i < n; ++i) {
            const bool counts = unit[unknown_[i].unit].element == element && (unknown_[i].row > 0) == (part > 1);
            solver_.b[i] = counts ? 1 : 0;
        }
        solver_.solve();
        for (int i = 0; i < n; ++i) {
            double sum = -solver_.b[i];
            for (int j = 0; j < n; ++j) sum += solver_.G[i * n + j] * solver_.x[j];
            if (std::fabs(sum) > 1e-6) return false;
        }
        return true;
    }
    static constexpr int normals_known = 1, frictions_known = 2;
    std::vector<int> determined_;
    double slack_ = 0;                      // by which shared forces may lie outside their cones
    static constexpr double shared = 1e-9;  // of the largest acceleration, and force: what keeps all contacts closed
};

}  // namespace mubo
