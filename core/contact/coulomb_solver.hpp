// Contact forces x with Coulomb's law for accelerations (or velocities) w = G x - b of closed contacts:
//   normals   x >= 0, w >= 0, x w = 0
//   tangents  |x| <= mu x_normal (of joints: a given bound), and w = 0 or x against w at its limit
// by projected Gauss-Seidel sweeps (Jourdan, Alart and Jean 1998; Studer and Glocker 2007). They need no mode to begin
// with, cannot cycle through modes, and find forces within their cones where G is singular: there the least solution of
// G x = b may pull although others, equally in balance, press.
#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

namespace mubo {

struct FrictionCone {
    int normal = -1, tangent = -1, tangents = 0;  // numbers of unknowns; -1: none
    double mu = 0, bound = 0;                     // of friction in joints: its bound
};

class CoulombSolver {
  public:
    std::vector<FrictionCone> cone;
    std::vector<double> x, w;

    // Improves x until a sweep changes it by no more than a part of the largest force; returns what the last one did.
    double solve(const std::vector<double>& G, const std::vector<double>& b, int n, double settled = 1e-14) {
        b_ = &b;
        collect(G, n);
        double change = HUGE_VAL;
        for (int count = 0; count < max_sweeps && change > settled; ++count) {
            before_ = x;
            for (const FrictionCone& c : cone) sweep(c);
            double largest = 1e-300;
            change = 0;
            for (int i = 0; i < n; ++i) {
                change = std::fmax(change, std::fabs(x[i] - before_[i]));
                largest = std::fmax(largest, std::fabs(x[i]));
            }
            change /= largest;
        }
        w.resize(n);
        for (int i = 0; i < n; ++i) w[i] = rest(i);
        return change;
    }
    double limit(const FrictionCone& c) const { return c.normal < 0 ? c.bound : c.mu * std::fmax(0, x[c.normal]); }

    // How far outside its cone a force is.
    double excess(const FrictionCone& c) const {
        double out = c.normal < 0 ? 0 : -x[c.normal], sum = 0;
        for (int i = 0; i < c.tangents; ++i) sum += x[c.tangent + i] * x[c.tangent + i];
        if (c.tangents) out = std::fmax(out, std::sqrt(sum) - limit(c));
        return out;
    }

  private:
    static constexpr int max_sweeps = 20000;
    // Contacts of different bodies do not act on each other: the rows of G by their entries.
    std::vector<int> row_, column_;
    std::vector<double> entry_, stiff_, before_;
    const std::vector<double>* b_ = nullptr;

    void collect(const std::vector<double>& G, int n) {
        row_.assign(1, 0), column_.clear(), entry_.clear(), stiff_.resize(n);
        for (int i = 0; i < n; ++i) {
            for (int j = 0; j < n; ++j)
                if (const double one = G[i * n + j]; one != 0) column_.push_back(j), entry_.push_back(one);
            row_.push_back(static_cast<int>(column_.size()));
            stiff_[i] = std::fmax(std::fabs(G[i * n + i]), 1e-300);
        }
    }
    double rest(int i) const {
        double sum = -(*b_)[i];
        for (int j = row_[i]; j < row_[i + 1]; ++j) sum += entry_[j] * x[column_[j]];
        return sum;
    }
    double stiff(int i) const { return stiff_[i]; }
    void sweep(const FrictionCone& c) {
        if (c.normal >= 0) x[c.normal] = std::fmax(0, x[c.normal] - rest(c.normal) / stiff(c.normal));
        double r = 0, sum = 0;
        for (int i = 0; i < c.tangents; ++i) r += stiff(c.tangent + i);
        for (int i = 0; i < c.tangents; ++i) {
            double& force = x[c.tangent + i];
            force -= rest(c.tangent + i) / r;
            sum += force * force;
        }
        const double most = limit(c), size = std::sqrt(sum);
        if (size <= most) return;
        for (int i = 0; i < c.tangents; ++i) x[c.tangent + i] *= most / size;
    }
};

}  // namespace mubo
