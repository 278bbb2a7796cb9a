// A dyad of two bars e1, e2 that close a loop with the known rest p:  p + e1 + e2 = 0.
//
// A turn of a bar moves its end across it, so the slopes are the bars turned by a quarter; their determinant is the
// cross product e1 x e2, and Cramer's rule leaves two dot products: J (f, g) = r  has  f = e2.r / det, g = -e1.r / det.
#pragma once
#include <algorithm>
#include <cmath>

#include "../status.hpp"
#include "vectors.hpp"

namespace mubo {

class TwoBars {
  public:
    TwoBars(const Moving& known, const Vector& first, const Vector& second)
        : turn{0, 0}, known_(known), e1_(first), e2_(second) {}

    // Newton; `turn` are the turns from the bars given.
    Status close(const SweepOptions& o, int* count) {
        for (int corrections = 0;; ++corrections) {
            const Vector gap{known_.p.x + e1_.x + e2_.x, known_.p.y + e1_.y + e2_.y};
            const double size = std::max(std::fabs(gap.x), std::fabs(gap.y));
            if (!std::isfinite(gap.x + gap.y)) return not_finite;
            const bool converged = size <= o.tolerance;
            if (!converged && corrections >= o.max_iterations) return no_convergence;
            if (!factor()) return singular;
            if (o.accepts(size)) return done;
            correct(-dot(e2_, gap) * inverse_, dot(e1_, gap) * inverse_);
            if (converged) return factor() ? done : singular;
            ++*count;
        }
    }

    // Velocities and accelerations of both angles, once closed.
    void rates(double* v1, double* v2, double* a1, double* a2) const {
        const double w1 = -dot(e2_, known_.v) * inverse_, w2 = dot(e1_, known_.v) * inverse_;
        const Vector bend{known_.a.x - w1 * w1 * e1_.x - w2 * w2 * e2_.x,
                          known_.a.y - w1 * w1 * e1_.y - w2 * w2 * e2_.y};
        *v1 = w1, *v2 = w2;
        *a1 = -dot(e2_, bend) * inverse_, *a2 = dot(e1_, bend) * inverse_;
    }

    double turn[2], determinant = 0;

  private:
    bool factor() {
        determinant = cross(e1_, e2_);
        inverse_ = 1 / determinant;
        const double largest = std::max(std::max(std::fabs(e1_.x), std::fabs(e1_.y)),  //
                                        std::max(std::fabs(e2_.x), std::fabs(e2_.y)));
        return std::fabs(determinant) > 1e-13 * largest * largest;
    }

    void correct(double first, double second) {
        e1_ = turned(e1_, first);
        e2_ = turned(e2_, second);
        turn[0] += first, turn[1] += second;
    }

    static Vector turned(const Vector& e, double by) {
        if (std::fabs(by) <= SmallTurn::most) return SmallTurn(by).of(e);
        const double c = std::cos(by), s = std::sin(by);
        return {c * e.x - s * e.y, s * e.x + c * e.y};
    }

    Moving known_;
    Vector e1_, e2_;
    double inverse_ = 0;
};

}  // namespace mubo
