// The rows that close most loops, by hand from the motion of their links: no angles, no quaternions, no jets.
//
//   coincide:       Phi = P_i - P_j with P = r + s;  K_i = (s_i x e, e), K_j = -(s_j x e, e) along every axis e;
//                   d2Phi/dt2 = acc_i + alpha_i x s_i + w_i x (w_i x s_i) - the same of j
//   perpendicular:  Phi = a.b - f;  n = a x b;  K_i = (n, 0), K_j = -(n, 0);
//                   d2Phi/dt2 = (alpha_i - alpha_j).n + (w_i - w_j).((w_i x a) x b + a x (w_j x b)) - f''
// What the ground accelerates by is the same in both terms. The laws compare them with the formulas of rows/.
#pragma once
#include "../rows/plane/coincide.hpp"
#include "../rows/space/coincide.hpp"
#include "../rows/space/perpendicular.hpp"
#include "../tree/work.hpp"

namespace mubo {

// Where the frame of a body stands on its link; in the plane also by how much it is turned against it.
struct BodyOn {
    int link;
    Vector r;
    Matrix3<double> R;
    double turned;
};

template <class Row>
struct HotRow {
    static constexpr bool known = false;
};

// Two points that fall together, in the plane or in space.
template <int rows>
struct HotPin {
    static constexpr bool known = true;

    struct Point {
        Vector s, r, v, a;

        Point(const BodyOn& b, const LinkWork& k, const double* p) {
            Vector on = b.r + p[0] * b.R.x + p[1] * b.R.y;
            if (rows == 3) on += p[2] * b.R.z;
            s = k.at.R * on;
            const Vector dragged = cross(k.at.w, s);
            r = k.at.r + s;
            v = k.at.v + dragged;
            a = k.acc + cross(k.alpha, s) + cross(k.at.w, dragged);
        }
    };

    static void evaluate(const BodyOn* const* b, const LinkWork* const* k, const double* p, const double*, int row,
                         LoopWork& out) {
        const Point i(*b[0], *k[0], p), j(*b[1], *k[1], p + rows);
        const Vector gap = i.r - j.r, rate = i.v - j.v, bent = i.a - j.a;
        const double phi[3] = {gap.x, gap.y, gap.z}, speed[3] = {rate.x, rate.y, rate.z},
                     bias[3] = {bent.x, bent.y, bent.z};
        constexpr double e[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        for (int r = 0; r < rows; ++r) {
            out.phi[row + r] = phi[r], out.rate[row + r] = speed[r], out.bias[row + r] = bias[r];
            out.nu[row + r] = 0;
            const Vector along{e[r][0], e[r][1], e[r][2]};
            Wrench* K = out.end.data() + most_bodies * (row + r);
            K[0] = {cross(i.s, along), along};
            K[1] = {cross(along, j.s), {-along.x, -along.y, -along.z}};
        }
    }
};
template <>
struct HotRow<plane::Coincide> : HotPin<2> {};
template <>
struct HotRow<space::Coincide> : HotPin<3> {};

template <>
struct HotRow<space::Perpendicular> {
    static constexpr bool known = true;

    static void evaluate(const BodyOn* const* b, const LinkWork* const* k, const double* p, const double* f, int row,
                         LoopWork& out) {
        const Vector a = k[0]->at.R * (b[0]->R * Vector{p[0], p[1], p[2]});
        const Vector c = k[1]->at.R * (b[1]->R * Vector{p[3], p[4], p[5]});
        const Vector n = cross(a, c), &wi = k[0]->at.w, &wj = k[1]->at.w, w = wi - wj;
        out.phi[row] = dot(a, c) - f[0];
        out.nu[row] = f[1];
        out.rate[row] = dot(w, n) - f[1];
        const Vector turning = cross(cross(wi, a), c) + cross(a, cross(wj, c));
        out.bias[row] = dot(k[0]->alpha - k[1]->alpha, n) + dot(w, turning) - f[2];
        Wrench* K = out.end.data() + most_bodies * row;
        K[0] = {n, {0, 0, 0}};
        K[1] = {{-n.x, -n.y, -n.z}, {0, 0, 0}};
    }
};

}  // namespace mubo
