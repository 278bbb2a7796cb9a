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
        n_ = n, G_ = &G, b_ = &b;
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
    int n_ = 0;
    const std::vector<double>*G_ = nullptr, *b_ = nullptr;
    std::vector<double> before_;

    double rest(int i) const {
        double sum = -(*b_)[i];
        for (int j = 0; j < n_; ++j) sum += (*G_)[i * n_ + j] * x[j];
        return sum;
    }
    double stiff(int i) const { return std::fmax(std::fabs((*G_)[i * n_ + i]), 1e-300); }
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
