// The plane over any number type: vectors, and the pose (x, y, phi) of a body.
#pragma once
#include <cmath>

namespace mubo {

template <class T>
struct Vector2 {
    T x, y;
};
template <class T>
Vector2<T> operator+(const Vector2<T>& a, const Vector2<T>& b) {
    return {a.x + b.x, a.y + b.y};
}
template <class T>
Vector2<T> operator-(const Vector2<T>& a, const Vector2<T>& b) {
    return {a.x - b.x, a.y - b.y};
}
template <class T>
Vector2<T> operator-(const Vector2<T>& a) {
    return {-a.x, -a.y};
}
template <class T>
Vector2<T> operator*(const T& k, const Vector2<T>& a) {
    return {k * a.x, k * a.y};
}
// The moment of a force b at the point a, and the velocity w x a of the point a.
template <class T>
T cross(const Vector2<T>& a, const Vector2<T>& b) {
    return a.x * b.y - a.y * b.x;
}
template <class T>
Vector2<T> cross(const T& w, const Vector2<T>& a) {
    return {-w * a.y, w * a.x};
}
template <class T>
T dot(const Vector2<T>& a, const Vector2<T>& b) {
    return a.x * b.x + a.y * b.y;
}
// The vector rotated by a quarter turn counter-clockwise; d(A s)/dphi = quarter_turn(A s).
template <class T>
Vector2<T> quarter_turn(const Vector2<T>& a) {
    return {-a.y, a.x};
}

struct Rate {
    double vx, vy, omega;  // velocity of a body's pose

    static Rate from(const double* v) { return {v[0], v[1], v[2]}; }
    double operator[](int k) const { return k == 0 ? vx : k == 1 ? vy : omega; }
};

template <class T>
struct Pose {
    static constexpr int width = 3;    // unknowns of a body
    static constexpr int turning = 1;  // the last unknowns, which describe its rotation
    static constexpr int dofs = 3;
    using Rate = mubo::Rate;
    T x, y, phi, c, s;  // c, s: cosine and sine of phi, computed once per pose

    Pose() = default;
    static Pose from(const T* q) { return {q[0], q[1], q[2]}; }
    T coordinate(int k) const { return k == 0 ? x : k == 1 ? y : phi; }
    Pose(const T& px, const T& py, const T& angle) : x(px), y(py), phi(angle) {
        using std::cos, std::sin;
        c = cos(angle);
        s = sin(angle);
    }
    // A s: a body-fixed vector in ground axes.
    Vector2<T> rotate(const T& u, const T& w) const { return {c * u - s * w, s * u + c * w}; }
    // r + A s: a body-fixed point in ground axes.
    Vector2<T> place(const T& u, const T& w) const { return {x + c * u - s * w, y + s * u + c * w}; }
};

}  // namespace mubo
