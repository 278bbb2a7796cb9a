// The pose of a body in space over any number type: origin r and quaternion p = (w, x, y, z), seven unknowns.
//
// A(p) does not depend on the length of p, so that only the equation p . p = 1 depends on it: the derivatives of all
// others are orthogonal to p.
#pragma once
#include "space.hpp"

namespace mubo {

struct Rate3 {
    double q[7];  // rates of r and p

    static Rate3 from(const double* v) { return {{v[0], v[1], v[2], v[3], v[4], v[5], v[6]}}; }
    double operator[](int k) const { return q[k]; }
};

template <class T>
struct Pose3 {
    static constexpr int width = 7;    // unknowns of a body
    static constexpr int turning = 4;  // the last unknowns, which describe its rotation
    static constexpr int dofs = 6;
    using Rate = Rate3;
    Vector3<T> r;
    Quaternion<T> p;
    Matrix3<T> A;  // computed once per pose

    static Pose3 from(const T* q) {
        const Quaternion<T> p = {q[3], q[4], q[5], q[6]};
        return {{q[0], q[1], q[2]}, p, rotation(p)};
    }
    T coordinate(int k) const {
        const T q[width] = {r.x, r.y, r.z, p.w, p.x, p.y, p.z};
        return q[k];
    }
    // A s and r + A s for s in body axes, given as three parameters of a row.
    Vector3<T> rotate(const T* s) const { return A * Vector3<T>{s[0], s[1], s[2]}; }
    Vector3<T> place(const T* s) const { return r + rotate(s); }
};

// The pose of a body under a small displacement d and a small rotation w about ground axes, the variables `first` to
// `first` + 5 of the dual numbers: a vector u fixed in the body changes by w x u. This is cheaper than differentiation
// through the quaternion.
template <class T>
struct DisplacedPose {
    const Pose3<double>& at;
    int first;

    Vector3<T> rotate(const T* s) const {
        const Vector u = at.A * Vector{s[0].v, s[1].v, s[2].v};
        Vector3<T> out = {T(u.x), T(u.y), T(u.z)};
        out.x.d[first + 4] = u.z;
        out.x.d[first + 5] = -u.y;
        out.y.d[first + 3] = -u.z;
        out.y.d[first + 5] = u.x;
        out.z.d[first + 3] = u.y;
        out.z.d[first + 4] = -u.x;
        return out;
    }
    Vector3<T> place(const T* s) const {
        Vector3<T> out = rotate(s);
        out.x.v += at.r.x;
        out.y.v += at.r.y;
        out.z.v += at.r.z;
        out.x.d[first] = out.y.d[first + 1] = out.z.d[first + 2] = 1;
        return out;
    }
};
// Derivatives with respect to d and w (six) as derivatives with respect to r and p (seven): w = 2 G dp / p.p, ground
// axes (Haug 1989, 9.3).
inline void displacement_to_coordinates(const Pose3<double>& at, const double* six, double* seven) {
    const auto& p = at.p;
    const double k = 2 / square(p), x = k * six[3], y = k * six[4], z = k * six[5];
    for (int c = 0; c < 3; ++c) seven[c] = six[c];
    seven[3] = -x * p.x - y * p.y - z * p.z;
    seven[4] = x * p.w + y * p.z - z * p.y;
    seven[5] = -x * p.z + y * p.w + z * p.x;
    seven[6] = x * p.y - y * p.x + z * p.w;
}

// Derivatives with respect to r and p (seven) as derivatives with respect to d and w (six): dp/dt = w p / 2 with w in
// ground axes, for p of any length.
inline void coordinates_to_displacement(const Pose3<double>& at, const double* seven, double* six) {
    const auto& p = at.p;
    const double w = 0.5 * seven[3], x = 0.5 * seven[4], y = 0.5 * seven[5], z = 0.5 * seven[6];
    for (int c = 0; c < 3; ++c) six[c] = seven[c];
    six[3] = -w * p.x + x * p.w - y * p.z + z * p.y;
    six[4] = -w * p.y + x * p.z + y * p.w - z * p.x;
    six[5] = -w * p.z - x * p.y + y * p.x + z * p.w;
}

// The angle from `from` to `arm` towards `toward` minus f, between -pi and pi: smooth wherever it is not near a half
// turn, for any number of full turns of f.
template <class T>
T wrapped_angle_difference(const Vector3<T>& from, const Vector3<T>& toward, const Vector3<T>& arm, const T& f) {
    using std::atan2, std::cos, std::sin;
    const T x = dot(from, arm), y = dot(toward, arm), c = cos(f), s = sin(f);
    return atan2(y * c - x * s, x * c + y * s);
}

}  // namespace mubo
