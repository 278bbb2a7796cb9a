// A dyad of two bars e1, e2 that close a loop with the sum p of the known terms:  p + e1 + e2 = 0.
//
// A rotation of a bar moves its end perpendicular to it, so the columns of J are the bars rotated by a quarter turn;
// the determinant is the cross product e1 x e2, and Cramer's rule leaves two dot products: J (f, g) = r  has  f = e2.r
// / det, g = -e1.r / det.
#pragma once
#include "newton.hpp"
#include "vectors.hpp"

namespace mubo {

template <class T>
struct TwoTurns {
    CosSin<T> first, second;
};

template <class T>
class TwoBars {
  public:
    // Starts with two terms of constant length and the cosines and sines of their angles.
    TwoBars(const VectorMotion<T>& known, const Term<T>& first, const Term<T>& second, const TwoTurns<T>& from)
        : rotation{from.first, from.second},
          turn{T(0.0), T(0.0)},
          known_(known),
          d1_{first.x, first.y},
          d2_{second.x, second.y} {
        place();
    }

    T gap(Mask<T>* exists) {
        gap_ = {known_.p.x + e1_.x + e2_.x, known_.p.y + e1_.y + e2_.y};
        *exists = finite(gap_.x + gap_.y);
        return larger(magnitude(gap_.x), magnitude(gap_.y));
    }
    Mask<T> factor() {
        determinant = cross(e1_, e2_);
        inverse_ = T(1.0) / determinant;
        const T largest =
            larger(larger(magnitude(e1_.x), magnitude(e1_.y)), larger(magnitude(e2_.x), magnitude(e2_.y)));
        return magnitude(determinant) > T(lost_pivot) * largest * largest;
    }
    void correct(const Mask<T>& where) {
        const T by[2] = {choose(where, -dot(e2_, gap_) * inverse_, T(0.0)),
                         choose(where, dot(e1_, gap_) * inverse_, T(0.0))};
        for (int k = 0; k < 2; ++k) {
            rotation[k] = turn_further(rotation[k], by[k]);
            turn[k] += by[k];
        }
        place();
    }

    // Velocities and accelerations of both angles, once closed.
    void rates(T* v1, T* v2, T* a1, T* a2) const {
        const T w1 = -dot(e2_, known_.v) * inverse_, w2 = dot(e1_, known_.v) * inverse_;
        const T s1 = w1 * w1, s2 = w2 * w2;
        const Vector2<T> bend{known_.a.x - s1 * e1_.x - s2 * e2_.x, known_.a.y - s1 * e1_.y - s2 * e2_.y};
        *v1 = w1, *v2 = w2;
        *a1 = -dot(e2_, bend) * inverse_, *a2 = dot(e1_, bend) * inverse_;
    }

    CosSin<T> rotation[2];
    T turn[2], determinant = T(0.0);

  private:
    void place() {
        e1_ = rotated(rotation[0], d1_);
        e2_ = rotated(rotation[1], d2_);
    }

    VectorMotion<T> known_;
    Vector2<T> d1_, d2_, e1_, e2_, gap_;
    T inverse_ = T(0.0);
};

}  // namespace mubo
