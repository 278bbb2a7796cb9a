// A rigid body in the plane and in space: its inertia, where it is and how it moves, and what acts on it. Both worlds
// have the same words, so that one formula serves them: a spin (angular velocity, moment) is a number in the plane and
// a vector in space, and cross() takes whatever fits.
//
// As arrays, twists (v, w) of a body's origin and wrenches (f, n) about it stand linear first, in ground axes: the
// order of the coordinates (x, y, phi), (r, p) and of result columns.
#pragma once
#include "number/plane.hpp"
#include "number/space_pose.hpp"

namespace mubo {

struct Plane {
    static constexpr int dimension = 2;
    static constexpr int freedoms = 3;  // of a body: numbers of a twist and of a wrench
    static constexpr int width = 3;     // numbers of a pose
    template <class T>
    using Vector = Vector2<T>;
    template <class T>
    using Spin = T;
};
struct Space {
    static constexpr int dimension = 3, freedoms = 6, width = 7;
    template <class T>
    using Vector = Vector3<T>;
    template <class T>
    using Spin = Vector3<T>;
};

// Where a body is and how it moves: origin r, its turn, angular velocity w, velocity v of the origin; ground axes.
template <class World, class T>
struct MotionOf;

template <class T>
struct MotionOf<Plane, T> {
    T phi, c, s;  // its turn, cosine and sine
    Vector2<T> r;
    T w;
    Vector2<T> v;

    // A s for s in body axes.
    Vector2<T> rotate(const T* a) const { return {c * a[0] - s * a[1], s * a[0] + c * a[1]}; }
    Vector2<T> velocity(const Vector2<T>& arm) const { return v + cross(w, arm); }  // of a point `arm` away from r
};

template <class T>
struct MotionOf<Space, T> {
    Matrix3<T> R;
    Vector3<T> r, w, v;

    Vector3<T> rotate(const T* a) const { return R * Vector3<T>{a[0], a[1], a[2]}; }
    Vector3<T> velocity(const Vector3<T>& arm) const { return v + cross(w, arm); }
};

// A force f at the origin of a body and its moment n about it, in ground axes.
template <class World, class T>
struct WrenchOf {
    typename World::template Spin<T> n;
    typename World::template Vector<T> f;
};

using Motion = MotionOf<Space, double>;
using Wrench = WrenchOf<Space, double>;

// Mass, m times the centre of mass, inertia about the body's origin; body axes.
struct Inertia {
    double m;
    Vector h;
    Symmetric3<double> I;
    bool massless;  // no mass and no inertia

    // From mass, centre (3), tensor about the centre (xx yy zz xy xz yz).
    static Inertia from(const double* j) {
        const Vector c{j[1], j[2], j[3]};
        bool none = j[0] == 0;
        for (int k = 4; k < 10; ++k) none = none && j[k] == 0;
        return {j[0], j[0] * c, Symmetric3<double>{j[4], j[5], j[6], j[7], j[8], j[9]} + steiner(j[0], c), none};
    }
};

}  // namespace mubo
