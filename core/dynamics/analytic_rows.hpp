// The rows that close most loops, by analytic formulas of the motion of their links, without angles, quaternions or
// automatic differentiation.
//
//   coincide:       Phi = P_i - P_j with P = r + s;  K_i = (s_i x e, e), K_j = -(s_j x e, e) along every axis e;
//                   d2Phi/dt2 = acc_i + alpha_i x s_i + w_i x (w_i x s_i) - the same of j
//   perpendicular:  Phi = a.b - f;  n = a x b;  K_i = (n, 0), K_j = -(n, 0);
//                   d2Phi/dt2 = (alpha_i - alpha_j).n + (w_i - w_j).((w_i x a) x b + a x (w_j x b)) - f''
// The acceleration of the ground cancels in the difference. The law tests compare them with the formulas of rows/.
#pragma once
#include "../rows/plane/coincide.hpp"
#include "../rows/space/coincide.hpp"
#include "../rows/space/perpendicular.hpp"
#include "../tree/work.hpp"

namespace mubo {

// The frame of a body on its link; in the plane also its angle relative to the link.
struct BodyOnLink {
    int link;
    Vector r;
    Matrix3<double> R;
    double plane_angle;
};

template <class Row>
struct AnalyticRow {
    static constexpr bool known = false;
};

// A point of a body at the motion of its link: arm from the link's origin, position, velocity, acceleration.
struct PointMotion {
    Vector s, r, v, a;

    PointMotion(const Vector& on, const LinkWork& k) : s(k.at.R * on) {
        const Vector dragged = cross(k.at.w, s);
        r = k.at.r + s;
        v = k.at.v + dragged;
        a = k.acc + cross(k.alpha, s) + cross(k.at.w, dragged);
    }
};

template <>
struct AnalyticRow<space::Coincide> {
    static constexpr bool known = true;

    static void evaluate(const BodyOnLink* const* b, const LinkWork* const* k, const double* p, const double*, int row,
                         LoopWork& out) {
        const PointMotion i(b[0]->r + b[0]->R * Vector{p[0], p[1], p[2]}, *k[0]);
        const PointMotion j(b[1]->r + b[1]->R * Vector{p[3], p[4], p[5]}, *k[1]);
        const Vector gap = i.r - j.r, rate = i.v - j.v, acceleration = i.a - j.a;
        const double phi[3] = {gap.x, gap.y, gap.z}, speed[3] = {rate.x, rate.y, rate.z},
                     bias[3] = {acceleration.x, acceleration.y, acceleration.z};
        constexpr double e[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        for (int r = 0; r < 3; ++r) {
            out.phi[row + r] = phi[r], out.rate[row + r] = speed[r], out.bias[row + r] = bias[r];
            out.nu[row + r] = 0;
            const Vector along{e[r][0], e[r][1], e[r][2]};
            Wrench* K = out.end.data() + max_bodies * (row + r);
            K[0] = {cross(i.s, along), along};
            K[1] = {cross(along, j.s), {-along.x, -along.y, -along.z}};
        }
    }
};

template <>
struct AnalyticRow<plane::Coincide> {
    static constexpr bool known = true;

    // The motion of a point in the plane.
    struct Point {
        double sx, sy, x, y, vx, vy, ax, ay;

        Point(const BodyOnLink& b, const LinkWork& k, const double* p) {
            const Vector &R = k.at.R.x, &X = b.R.x;
            const double onx = b.r.x + X.x * p[0] - X.y * p[1], ony = b.r.y + X.y * p[0] + X.x * p[1];
            const double w = k.at.w.z, acceleration = k.alpha.z;
            sx = R.x * onx - R.y * ony, sy = R.y * onx + R.x * ony;
            x = k.at.r.x + sx, y = k.at.r.y + sy;
            vx = k.at.v.x - w * sy, vy = k.at.v.y + w * sx;
            ax = k.acc.x - acceleration * sy - w * w * sx, ay = k.acc.y + acceleration * sx - w * w * sy;
        }
    };

    static void evaluate(const BodyOnLink* const* b, const LinkWork* const* k, const double* p, const double*, int row,
                         LoopWork& out) {
        const Point i(*b[0], *k[0], p), j(*b[1], *k[1], p + 2);
        out.phi[row] = i.x - j.x, out.phi[row + 1] = i.y - j.y;
        out.rate[row] = i.vx - j.vx, out.rate[row + 1] = i.vy - j.vy;
        out.bias[row] = i.ax - j.ax, out.bias[row + 1] = i.ay - j.ay;
        out.nu[row] = out.nu[row + 1] = 0;
        Wrench* K = out.end.data() + max_bodies * row;
        K[0] = {{0, 0, -i.sy}, {1, 0, 0}}, K[1] = {{0, 0, j.sy}, {-1, 0, 0}};
        K += max_bodies;
        K[0] = {{0, 0, i.sx}, {0, 1, 0}}, K[1] = {{0, 0, -j.sx}, {0, -1, 0}};
    }
};

template <>
struct AnalyticRow<space::Perpendicular> {
    static constexpr bool known = true;

    static void evaluate(const BodyOnLink* const* b, const LinkWork* const* k, const double* p, const double* f,
                         int row, LoopWork& out) {
        const Vector a = k[0]->at.R * (b[0]->R * Vector{p[0], p[1], p[2]});
        const Vector c = k[1]->at.R * (b[1]->R * Vector{p[3], p[4], p[5]});
        const Vector n = cross(a, c), &wi = k[0]->at.w, &wj = k[1]->at.w, w = wi - wj;
        out.phi[row] = dot(a, c) - f[0];
        out.nu[row] = f[1];
        out.rate[row] = dot(w, n) - f[1];
        const Vector turning = cross(cross(wi, a), c) + cross(a, cross(wj, c));
        out.bias[row] = dot(k[0]->alpha - k[1]->alpha, n) + dot(w, turning) - f[2];
        Wrench* K = out.end.data() + max_bodies * row;
        K[0] = {n, {0, 0, 0}};
        K[1] = {{-n.x, -n.y, -n.z}, {0, 0, 0}};
    }
};

}  // namespace mubo
