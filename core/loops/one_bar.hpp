// A single equation for a single angle: one coordinate of the vector e that it rotates closes a gap:  p + e_x = 0  or
// p + e_y = 0. The derivative of e_x is -e_y, that of e_y is e_x.
#pragma once
#include "newton.hpp"
#include "vectors.hpp"

namespace mubo {

template <class T>
class OneBar {
  public:
    // Takes value, rate and acceleration of one coordinate of the known terms.
    OneBar(bool of_x, const VectorMotion<T>& known, const Term<T>& term, const CosSin<T>& from)
        : rotation(from),
          turn(0.0),
          of_x_(of_x),
          p_(of_x ? known.p.x : known.p.y),
          v_(of_x ? known.v.x : known.v.y),
          a_(of_x ? known.a.x : known.a.y),
          d_{term.x, term.y} {
        place();
    }

    T gap(Mask<T>* exists) {
        gap_ = p_ + across_;
        *exists = finite(gap_);
        return magnitude(gap_);
    }
    Mask<T> factor() {
        inverse_ = T(1.0) / determinant;
        return determinant != T(0.0);
    }
    void correct(const Mask<T>& where) {
        const T by = choose(where, -gap_ * inverse_, T(0.0));
        rotation = turn_further(rotation, by);
        turn += by;
        place();
    }
    // Velocity and acceleration of the angle, once closed.
    void rates(T* v, T* a) const {
        const T w = -v_ * inverse_;
        *v = w;
        *a = (w * w * across_ - a_) * inverse_;
    }

    CosSin<T> rotation;
    T turn, determinant = T(0.0);

  private:
    void place() {
        const Vector2<T> e = rotated(rotation, d_);
        across_ = of_x_ ? e.x : e.y;
        determinant = of_x_ ? -e.y : e.x;
    }

    bool of_x_;
    T p_, v_, a_, across_ = T(0.0), gap_ = T(0.0), inverse_ = T(0.0);
    Vector2<T> d_;
};

// A single equation for a single slide along a fixed direction d:  p + x d_x = 0  or  p + x d_y = 0, for position,
// velocity and acceleration. Returns its coefficient.
template <class T>
T solve_slide(bool of_x, const VectorMotion<T>& known, const Term<T>& own, T* x, T* v, T* a) {
    const T factor = of_x ? own.x : own.y, inverse = T(-1.0) / factor;
    *x = (of_x ? known.p.x : known.p.y) * inverse;
    *v = (of_x ? known.v.x : known.v.y) * inverse;
    *a = (of_x ? known.a.x : known.a.y) * inverse;
    return factor;
}

}  // namespace mubo
