// A rigid body in the plane and in space: its inertia, its pose and twist, and the wrench that acts on it. Both worlds
// have the same interface, so that one formula serves them: a spin (angular velocity, moment) is a number in the plane
// and a vector in space, and cross() is overloaded for both.
//
// As arrays, twists (v, w) of a body's origin and wrenches (f, n) about it are stored linear part first, in ground
// axes: the order of the coordinates (x, y, phi), (r, p) and of result columns.
#pragma once
#include "number/dual.hpp"
#include "number/plane.hpp"
#include "number/space_pose.hpp"

namespace mubo {

struct Plane {
    static constexpr int dimension = 2;
    static constexpr int dofs = 3;   // degrees of freedom of a body: components of a twist and of a wrench
    static constexpr int width = 3;  // numbers of a pose
    template <class T>
    using Vector = Vector2<T>;
    template <class T>
    using Spin = T;

    template <class T>
    static Vector2<T> vector(const T* p) {
        return {p[0], p[1]};
    }
};
struct Space {
    static constexpr int dimension = 3, dofs = 6, width = 7;
    template <class T>
    using Vector = Vector3<T>;
    template <class T>
    using Spin = Vector3<T>;

    template <class T>
    static Vector3<T> vector(const T* p) {
        return {p[0], p[1], p[2]};
    }
};

// Pose and twist of a body: origin r, orientation, angular velocity w, velocity v of the origin; ground axes.
template <class World, class T>
struct MotionOf;

template <class T>
struct MotionOf<Plane, T> {
    T phi, c, s;  // angle of rotation, its cosine and sine
    Vector2<T> r;
    T w;
    Vector2<T> v;

    // From x, y, phi and a twist.
    static MotionOf from(const T* q, const T* t) {
        using std::cos, std::sin;
        return {q[2], cos(q[2]), sin(q[2]), {q[0], q[1]}, t[2], {t[0], t[1]}};
    }
    // A s for s in body axes.
    Vector2<T> rotate(const T* a) const { return {c * a[0] - s * a[1], s * a[0] + c * a[1]}; }
    Vector2<T> velocity(const Vector2<T>& arm) const { return v + cross(w, arm); }  // velocity of the point at r + arm
};

template <class T>
struct MotionOf<Space, T> {
    Matrix3<T> R;
    Vector3<T> r, w, v;

    // From r, p and a twist; the quaternion may have any length but zero.
    static MotionOf from(const T* q, const T* t) {
        return {rotation(Quaternion<T>{q[3], q[4], q[5], q[6]}),
                {q[0], q[1], q[2]},
                {t[3], t[4], t[5]},
                {t[0], t[1], t[2]}};
    }
    Vector3<T> rotate(const T* a) const { return R * Vector3<T>{a[0], a[1], a[2]}; }
    Vector3<T> velocity(const Vector3<T>& arm) const { return v + cross(w, arm); }
};

// A force f at the origin of a body and its moment n about it, in ground axes.
template <class World, class T>
struct WrenchOf {
    typename World::template Spin<T> n;
    typename World::template Vector<T> f;
};

// The power of a wrench on a body: n . w + f . v.
template <class T>
T power(const MotionOf<Plane, T>& b, const WrenchOf<Plane, T>& on) {
    return on.n * b.w + dot(on.f, b.v);
}
template <class T>
T power(const MotionOf<Space, T>& b, const WrenchOf<Space, T>& on) {
    return dot(on.n, b.w) + dot(on.f, b.v);
}

// The components of a wrench, force first.
template <class T>
void components(const WrenchOf<Plane, T>& on, T* out) {
    out[0] = on.f.x, out[1] = on.f.y, out[2] = on.n;
}
template <class T>
void components(const WrenchOf<Space, T>& on, T* out) {
    out[0] = on.f.x, out[1] = on.f.y, out[2] = on.f.z;
    out[3] = on.n.x, out[4] = on.n.y, out[5] = on.n.z;
}

// The pose of a body, seeded for forward differentiation by a small displacement d and a small rotation w about ground
// axes; (d, w) are the variables from `k` on of dual numbers with N derivatives. The twist is constant.
template <int N>
MotionOf<Plane, Dual<N>> seed_pose(const MotionOf<Plane, double>& b, int k) {
    using T = Dual<N>;
    const T phi = T::variable(b.phi, k + 2);
    return {phi,    phi.chain(b.c, -b.s), phi.chain(b.s, b.c), {T::variable(b.r.x, k), T::variable(b.r.y, k + 1)},
            T(b.w), {T(b.v.x), T(b.v.y)}};
}
template <class T>
Vector3<T> promote(const Vector& a) {
    return {T(a.x), T(a.y), T(a.z)};
}
template <class T>
Vector3<T> variables(const Vector& a, int k) {
    return {T::variable(a.x, k), T::variable(a.y, k + 1), T::variable(a.z, k + 2)};
}
template <int N>
MotionOf<Space, Dual<N>> seed_pose(const MotionOf<Space, double>& b, int k) {
    using T = Dual<N>;
    const auto w = variables<T>({0, 0, 0}, k + 3);
    const auto turn_by = [&](const Vector& a) { return promote<T>(a) + cross(w, promote<T>(a)); };
    return {{turn_by(b.R.x), turn_by(b.R.y), turn_by(b.R.z)}, variables<T>(b.r, k), promote<T>(b.w), promote<T>(b.v)};
}

// The twist (v, w) of a body, seeded for forward differentiation; the pose is constant.
template <int N>
MotionOf<Plane, Dual<N>> seed_twist(const MotionOf<Plane, double>& b, int k) {
    using T = Dual<N>;
    return {T(b.phi),
            T(b.c),
            T(b.s),
            {T(b.r.x), T(b.r.y)},
            T::variable(b.w, k + 2),
            {T::variable(b.v.x, k), T::variable(b.v.y, k + 1)}};
}
template <int N>
MotionOf<Space, Dual<N>> seed_twist(const MotionOf<Space, double>& b, int k) {
    using T = Dual<N>;
    return {{promote<T>(b.R.x), promote<T>(b.R.y), promote<T>(b.R.z)},
            promote<T>(b.r),
            variables<T>(b.w, k + 3),
            variables<T>(b.v, k)};
}

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
