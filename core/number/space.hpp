// Space over any number type: vectors, rotations, unit quaternions.
//
// A rotation is stored as its three columns: the axes x, y, z of the rotated frame, so A s = s.x x + s.y y + s.z z.
#pragma once
#include <cmath>

namespace mubo {

template <class T>
struct Vector3 {
    T x, y, z;
};
template <class T>
Vector3<T> operator+(const Vector3<T>& a, const Vector3<T>& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class T>
Vector3<T> operator-(const Vector3<T>& a, const Vector3<T>& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class T>
Vector3<T> operator-(const Vector3<T>& a) {
    return {-a.x, -a.y, -a.z};
}
template <class T>
Vector3<T> operator*(const T& k, const Vector3<T>& a) {
    return {k * a.x, k * a.y, k * a.z};
}
template <class T>
Vector3<T>& operator+=(Vector3<T>& a, const Vector3<T>& b) {
    return a = a + b;
}
template <class T>
Vector3<T>& operator-=(Vector3<T>& a, const Vector3<T>& b) {
    return a = a - b;
}
template <class T>
T dot(const Vector3<T>& a, const Vector3<T>& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T>
Vector3<T> cross(const Vector3<T>& a, const Vector3<T>& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

template <class T>
struct Matrix3 {
    Vector3<T> x, y, z;  // columns
};
template <class T>
Vector3<T> operator*(const Matrix3<T>& A, const Vector3<T>& s) {
    return {A.x.x * s.x + A.y.x * s.y + A.z.x * s.z, A.x.y * s.x + A.y.y * s.y + A.z.y * s.z,
            A.x.z * s.x + A.y.z * s.y + A.z.z * s.z};
}
template <class T>
Matrix3<T> operator*(const Matrix3<T>& A, const Matrix3<T>& B) {
    return {A * B.x, A * B.y, A * B.z};
}
// A' s without the transpose.
template <class T>
Vector3<T> transposed_times(const Matrix3<T>& A, const Vector3<T>& s) {
    return {dot(A.x, s), dot(A.y, s), dot(A.z, s)};
}

// A symmetric 3 x 3 matrix.
template <class T>
struct Symmetric3 {
    T xx, yy, zz, xy, xz, yz;
};
template <class T>
Symmetric3<T> operator+(const Symmetric3<T>& a, const Symmetric3<T>& b) {
    return {a.xx + b.xx, a.yy + b.yy, a.zz + b.zz, a.xy + b.xy, a.xz + b.xz, a.yz + b.yz};
}
template <class T>
Vector3<T> operator*(const Symmetric3<T>& A, const Vector3<T>& s) {
    return {A.xx * s.x + A.xy * s.y + A.xz * s.z, A.xy * s.x + A.yy * s.y + A.yz * s.z,
            A.xz * s.x + A.yz * s.y + A.zz * s.z};
}
// R A R': a tensor given in the axes of R, in ground axes.
template <class T>
Symmetric3<T> rotate_tensor(const Symmetric3<T>& A, const Matrix3<T>& R) {
    const Vector3<T> x = A.xx * R.x + A.xy * R.y + A.xz * R.z, y = A.xy * R.x + A.yy * R.y + A.yz * R.z,
                     z = A.xz * R.x + A.yz * R.y + A.zz * R.z;
    return {x.x * R.x.x + y.x * R.y.x + z.x * R.z.x, x.y * R.x.y + y.y * R.y.y + z.y * R.z.y,
            x.z * R.x.z + y.z * R.y.z + z.z * R.z.z, x.x * R.x.y + y.x * R.y.y + z.x * R.z.y,
            x.x * R.x.z + y.x * R.y.z + z.x * R.z.z, x.y * R.x.z + y.y * R.y.z + z.y * R.z.z};
}
// m (s.s 1 - s s'): the term of a mass m at the distance s in an inertia tensor (parallel axis theorem).
template <class T>
Symmetric3<T> steiner(const T& m, const Vector3<T>& s) {
    return {m * (s.y * s.y + s.z * s.z),
            m * (s.x * s.x + s.z * s.z),
            m * (s.x * s.x + s.y * s.y),
            -m * s.x * s.y,
            -m * s.x * s.z,
            -m * s.y * s.z};
}
// The inverse of a symmetric matrix; false where the smallest eigenvalue is below the fraction `least` of the trace.
// det over the sum of the principal minors lies between a third of the smallest eigenvalue and that eigenvalue.
template <class T>
bool inverse(const Symmetric3<T>& A, const T& least, Symmetric3<T>& out) {
    const T xx = A.yy * A.zz - A.yz * A.yz, yy = A.xx * A.zz - A.xz * A.xz, zz = A.xx * A.yy - A.xy * A.xy,
            xy = A.xz * A.yz - A.xy * A.zz, xz = A.xy * A.yz - A.xz * A.yy, yz = A.xy * A.xz - A.xx * A.yz;
    const T det = A.xx * xx + A.xy * xy + A.xz * xz;
    if (!(det > least * (A.xx + A.yy + A.zz) * (xx + yy + zz))) return false;
    const T k = T(1) / det;
    out = {k * xx, k * yy, k * zz, k * xy, k * xz, k * yz};
    return true;
}

template <class T>
struct Quaternion {
    T w, x, y, z;
};
template <class T>
Quaternion<T> operator*(const Quaternion<T>& p, const Quaternion<T>& q) {
    return {p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z, p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y,
            p.w * q.y - p.x * q.z + p.y * q.w + p.z * q.x, p.w * q.z + p.x * q.y - p.y * q.x + p.z * q.w};
}
template <class T>
T square(const Quaternion<T>& q) {
    return q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
}
// The rotation of a quaternion of any length but zero.
template <class T>
Matrix3<T> rotation(const Quaternion<T>& q) {
    const T k = T(2) / square(q);
    const T x = k * q.x, y = k * q.y, z = k * q.z;
    return {{T(1) - y * q.y - z * q.z, x * q.y + z * q.w, x * q.z - y * q.w},
            {x * q.y - z * q.w, T(1) - x * q.x - z * q.z, y * q.z + x * q.w},
            {x * q.z + y * q.w, y * q.z - x * q.w, T(1) - x * q.x - y * q.y}};
}
// A unit quaternion of a rotation, from its largest entry (Shepperd 1978); its sign is arbitrary.
inline Quaternion<double> quaternion(const Matrix3<double>& A) {
    const double xx = A.x.x, yy = A.y.y, zz = A.z.z, trace = xx + yy + zz;
    Quaternion<double> q;
    if (trace >= xx && trace >= yy && trace >= zz)
        q = {1 + trace, A.y.z - A.z.y, A.z.x - A.x.z, A.x.y - A.y.x};
    else if (xx >= yy && xx >= zz)
        q = {A.y.z - A.z.y, 1 + xx - yy - zz, A.x.y + A.y.x, A.x.z + A.z.x};
    else if (yy >= zz)
        q = {A.z.x - A.x.z, A.x.y + A.y.x, 1 + yy - xx - zz, A.y.z + A.z.y};
    else
        q = {A.x.y - A.y.x, A.x.z + A.z.x, A.y.z + A.z.y, 1 + zz - xx - yy};
    const double k = 1 / std::sqrt(square(q));
    return {k * q.w, k * q.x, k * q.y, k * q.z};
}
// dq/dt = q (0, w) / 2 with w in the axes of the rotated frame.
template <class T>
Quaternion<T> rate(const Quaternion<T>& q, const Vector3<T>& w) {
    const Vector3<T> half = T(0.5) * w;
    return q * Quaternion<T>{T(0), half.x, half.y, half.z};
}
// Rotation about the unit axis a by the angle of cosine c and sine s (Rodrigues).
template <class T>
Matrix3<T> rotation(const Vector3<T>& a, const T& c, const T& s) {
    const T k = T(1) - c;
    return {{c + k * a.x * a.x, k * a.x * a.y + s * a.z, k * a.x * a.z - s * a.y},
            {k * a.x * a.y - s * a.z, c + k * a.y * a.y, k * a.y * a.z + s * a.x},
            {k * a.x * a.z + s * a.y, k * a.y * a.z - s * a.x, c + k * a.z * a.z}};
}

using Vector = Vector3<double>;

}  // namespace mubo
