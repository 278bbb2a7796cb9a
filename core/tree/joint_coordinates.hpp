// The coordinates and rates of joints as a model orders them, and the map to positions q and velocities w of the links:
//   w = B(q) v,   dw/dt = B a + g(q, v),   tau = B'tau_links,   M = B'M_links B.
// B is a permutation with signs, but for balls with Euler angles and balls that are walked backwards: 3 x 3 blocks
// there.
#pragma once
#include <algorithm>
#include <vector>

#include "forward.hpp"

namespace mubo {

// One link and its joint's coordinates.
struct JointLink {
    int kind, q, v;  // of the link: kind, first position and velocity
    int at_q, at_v;  // its first coordinate and rate in the order of the model
    double sign;     // of a shift that is walked backwards: -1
    bool forward;    // of a ball: whether it is walked from the first body of the joint to the second
    int euler[3];    // axes of its Euler angles; -1: a quaternion

    bool turns_axes() const { return kind == ball && (!forward || euler[0] >= 0); }
};

// Rotation of a ball, and the axes P of its rates, with angular velocity = P v in the axes of the second body.
template <class T>
struct BallAxes {
    Quaternion<T> p;
    Matrix3<T> P;
};

template <class T>
Vector3<T> unit_axis(int k) {
    return {T(k == 0), T(k == 1), T(k == 2)};
}
template <class T>
Quaternion<T> turn_about(int axis, const T& angle) {
    using std::cos, std::sin;
    const T half = T(0.5) * angle, s = sin(half);
    return {cos(half), T(axis == 0) * s, T(axis == 1) * s, T(axis == 2) * s};
}

// Euler angles about body-fixed axes one after the other: the first axis is carried back over the two others.
template <class T>
BallAxes<T> euler_axes(const int* axes, const T* angles) {
    const Quaternion<T> second = turn_about(axes[1], angles[1]), third = turn_about(axes[2], angles[2]);
    const Quaternion<T> both = second * third;
    return {turn_about(axes[0], angles[0]) * both,
            {transposed_times(rotation(both), unit_axis<T>(axes[0])),
             transposed_times(rotation(third), unit_axis<T>(axes[1])), unit_axis<T>(axes[2])}};
}

// The derivative of P at constant rates: p_1 turns against the middle and last axes, p_2 against the last.
template <class T>
Vector3<T> axes_turning(const Matrix3<T>& P, const T* v) {
    const Vector3<T> last = v[2] * P.z, middle = v[1] * P.y;
    return -(cross(middle + last, v[0] * P.x) + cross(last, middle));
}

// Angular velocity and acceleration of the link in its own axes, from rates v and their derivatives a at the axes of
// the ball; walked backwards, the link is the first body: its motion relative to the second, in its own axes.
template <class T>
void ball_motion(const JointLink& j, const BallAxes<T>& ball, const T* v, const T* a, Vector3<T>& w, Vector3<T>& turn) {
    w = {v[0], v[1], v[2]}, turn = {a[0], a[1], a[2]};
    if (j.euler[0] >= 0) w = ball.P * w, turn = ball.P * turn + axes_turning(ball.P, v);
    if (j.forward) return;
    const Matrix3<T> A = rotation(ball.p);
    w = -(A * w), turn = -(A * turn);
}

struct JointCoordinates {
    std::vector<JointLink> joint;
    int positions = 0, rates = 0;
    bool same = true;         // q and v of the links are those of the model
    bool turns_axes = false;  // some ball has a block of B that is not a signed permutation

    // The axes of a ball at coordinates q of the model.
    BallAxes<double> axes(const JointLink& j, const double* q) const {
        q += j.at_q;
        if (j.euler[0] >= 0) return euler_axes(j.euler, q);
        const double k = 1 / std::sqrt(square(quaternion_at(q)));
        return {{k * q[0], k * q[1], k * q[2], k * q[3]}, {}};
    }
    // The block of B of a ball.
    Matrix3<double> block(const JointLink& j, const BallAxes<double>& ball) const {
        Matrix3<double> B{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        if (j.euler[0] >= 0) B = ball.P;
        if (j.forward) return B;
        const Matrix3<double> A = rotation(ball.p);
        return {-(A * B.x), -(A * B.y), -(A * B.z)};
    }

    // Positions, velocities and their derivatives of the links; v and a may be null.
    void to_links(const double* q, const double* v, const double* a, double* Q, double* W, double* A) const {
        const double none[3] = {0, 0, 0};
        for (const JointLink& j : joint) {
            if (j.kind != ball) {
                for (int k = 0; k < kind_velocities[j.kind]; ++k) {
                    Q[j.q + k] = j.sign * q[j.at_q + k];
                    if (v) W[j.v + k] = j.sign * v[j.at_v + k];
                    if (a) A[j.v + k] = j.sign * a[j.at_v + k];
                }
                continue;
            }
            const BallAxes<double> at = axes(j, q);
            const Quaternion<double>& p = at.p;
            const double back = j.forward ? 1 : -1;
            Q[j.q] = p.w, Q[j.q + 1] = back * p.x, Q[j.q + 2] = back * p.y, Q[j.q + 3] = back * p.z;
            if (!v) continue;
            Vector w, turn;
            ball_motion(j, at, v + j.at_v, a ? a + j.at_v : none, w, turn);
            W[j.v] = w.x, W[j.v + 1] = w.y, W[j.v + 2] = w.z;
            if (a) A[j.v] = turn.x, A[j.v + 1] = turn.y, A[j.v + 2] = turn.z;
        }
    }

    // B x for the columns x of rates: out and x are [rates][columns].
    template <class Block>
    void blocks(const double* q, Block&& each) const {
        for (const JointLink& j : joint)
            if (j.kind == ball && j.turns_axes())
                each(j, block(j, axes(j, q)));
            else
                each(j, Matrix3<double>{{j.sign, 0, 0}, {0, j.sign, 0}, {0, 0, j.sign}});
    }
    // out = B'x of efforts of links x, for rows of both: [rates][columns], strides of `columns`.
    void to_joints(const double* q, const double* x, int columns, double* out) const {
        blocks(q, [&](const JointLink& j, const Matrix3<double>& B) {
            const int n = kind_velocities[j.kind];
            const double* row[3] = {&B.x.x, &B.y.x, &B.z.x};
            for (int k = 0; k < n; ++k)
                for (int c = 0; c < columns; ++c) {
                    double sum = 0;
                    for (int i = 0; i < n; ++i) sum += row[k][i] * x[(j.v + i) * columns + c];
                    out[(j.at_v + k) * columns + c] = sum;
                }
        });
    }
    // out = x B for x [rows][rates of links], out [rows][rates].
    void times_blocks(const double* q, const double* x, int rows, double* out) const {
        blocks(q, [&](const JointLink& j, const Matrix3<double>& B) {
            const int n = kind_velocities[j.kind];
            const double* column[3] = {&B.x.x, &B.y.x, &B.z.x};
            for (int r = 0; r < rows; ++r)
                for (int k = 0; k < n; ++k) {
                    double sum = 0;
                    for (int i = 0; i < n; ++i) sum += x[r * rates + j.v + i] * column[k][i];
                    out[r * rates + j.at_v + k] = sum;
                }
        });
    }
    // Solves B'x = y (transposed) or B x = y, one vector; false where Euler rates do not determine the motion.
    bool solve(const double* q, const double* y, bool transposed, double* x) const {
        bool found = true;
        blocks(q, [&](const JointLink& j, const Matrix3<double>& B) {
            const int n = kind_velocities[j.kind];
            const int from = transposed ? j.at_v : j.v, to = transposed ? j.v : j.at_v;
            if (j.kind != ball || !j.turns_axes()) {
                for (int k = 0; k < n; ++k) x[to + k] = j.sign * y[from + k];
                return;
            }
            const Vector yz = cross(B.y, B.z), zx = cross(B.z, B.x), xy = cross(B.x, B.y),
                         u{y[from], y[from + 1], y[from + 2]};
            const double det = dot(B.x, yz);
            found = found && std::fabs(det) > least_turn;
            const Vector out = transposed ? (1 / det) * (u.x * yz + u.y * zx + u.z * xy)
                                          : (1 / det) * Vector{dot(yz, u), dot(zx, u), dot(xy, u)};
            x[to] = out.x, x[to + 1] = out.y, x[to + 2] = out.z;
        });
        return found;
    }
    static constexpr double least_turn = 1e-9;  // determinant of the axes at which Euler rates have no digit left
};

}  // namespace mubo
