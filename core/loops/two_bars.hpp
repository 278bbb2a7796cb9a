// A dyad of two bars e1, e2 that close a loop with the known rest p:  p + e1 + e2 = 0.
//
// A turn of a bar moves its end across it, so the slopes are the bars turned by a quarter; their determinant is the
// cross product e1 x e2, and Cramer's rule leaves two dot products: J (f, g) = r  has  f = e2.r / det, g = -e1.r / det.
#pragma once
#include "fate.hpp"
#include "vectors.hpp"

namespace mubo {

template <class T>
class TwoBars {
  public:
    TwoBars(const Moving<T>& known, const Vector2<T>& first, const Vector2<T>& second)
        : turn{T(0.0), T(0.0)}, known_(known), e1_(first), e2_(second) {}

    // Newton; `turn` are the turns from the bars given. A lane that is closed waits for the others.
    void close(const SweepOptions& o, Fate<T>* fate, T* count) {
        Mask<T> open = fate->good, last = nowhere<T>();
        for (int corrections = 0;; ++corrections) {
            const Vector2<T> gap{known_.p.x + e1_.x + e2_.x, known_.p.y + e1_.y + e2_.y};
            const T size = larger(magnitude(gap.x), magnitude(gap.y));
            const Mask<T> regular = factor(), converged = size <= T(o.tolerance);
            const Mask<T> before = open & !last;  // of those corrected for the last time only the slopes are asked
            fate->fail(before & !finite(gap.x + gap.y), not_finite);
            if (corrections >= o.max_iterations) fate->fail(before & !converged, no_convergence);
            fate->fail(open & !regular, singular);
            open = before & fate->good & !o.accepts(size);
            if (!any(open)) return;
            correct(open, -dot(e2_, gap) * inverse_, dot(e1_, gap) * inverse_);
            last = open & converged;
            const Mask<T> more = open & !last;
            if (any(more))
                *count += choose(more, T(1.0), T(0.0));
            else
                return fate->fail(open & !factor(), singular);
        }
    }

    // Velocities and accelerations of both angles, once closed.
    void rates(T* v1, T* v2, T* a1, T* a2) const {
        const T w1 = -dot(e2_, known_.v) * inverse_, w2 = dot(e1_, known_.v) * inverse_;
        const Vector2<T> bend{known_.a.x - w1 * w1 * e1_.x - w2 * w2 * e2_.x,
                              known_.a.y - w1 * w1 * e1_.y - w2 * w2 * e2_.y};
        *v1 = w1, *v2 = w2;
        *a1 = -dot(e2_, bend) * inverse_, *a2 = dot(e1_, bend) * inverse_;
    }

    T turn[2], determinant = T(0.0);

  private:
    Mask<T> factor() {
        determinant = cross(e1_, e2_);
        inverse_ = T(1.0) / determinant;
        const T largest =
            larger(larger(magnitude(e1_.x), magnitude(e1_.y)), larger(magnitude(e2_.x), magnitude(e2_.y)));
        return magnitude(determinant) > T(lost_pivot) * largest * largest;
    }

    void correct(const Mask<T>& where, const T& first, const T& second) {
        e1_ = choose<T>(where, turned(where, e1_, first), e1_);
        e2_ = choose<T>(where, turned(where, e2_, second), e2_);
        turn[0] = choose(where, turn[0] + first, turn[0]);
        turn[1] = choose(where, turn[1] + second, turn[1]);
    }

    static Vector2<T> turned(const Mask<T>& where, const Vector2<T>& e, const T& by) {
        const Mask<T> small = SmallTurn<T>::fits(by);
        const Vector2<T> slightly = SmallTurn<T>(by).of(e);
        if (all(small | !where)) return slightly;
        const CosSin<T> turn = cos_sin(by);
        return choose<T>(small, slightly, {turn.c * e.x - turn.s * e.y, turn.s * e.x + turn.c * e.y});
    }

    Moving<T> known_;
    Vector2<T> e1_, e2_;
    T inverse_ = T(0.0);
};

}  // namespace mubo
