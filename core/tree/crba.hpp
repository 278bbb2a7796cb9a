// Mass matrix by the composite-rigid-body algorithm (Featherstone 2008, section 6.2, table 6.2): column by column, the
// force on the rigid composite of all links outboard under a unit acceleration of one degree of freedom, propagated to
// the ground.
#pragma once
#include "forward.hpp"
#include "rigid.hpp"
#include "rnea.hpp"

namespace mubo {

// H is velocities x velocities. The composite inertia is stored in A, h and M.xx (the mass).
inline void crba(const TreeSystem& s, const double* q, TreeWork& work, double* H) {
    const std::vector<double> at_rest(s.velocities, 0.0);
    move(s, q, at_rest.data(), at_rest.data(), {0, 0, 0}, work);
    for (int k = 0; k < s.links(); ++k) {
        evaluate_inertia(s.link[k], work.of(k));
        work.of(k).M.xx = s.link[k].m;
    }
    for (int i = s.links() - 1; i >= 0; --i) {
        if (s.link[i].parent < 0) continue;
        const LinkWork& k = work.of(i);
        LinkWork& p = work.of(s.link[i].parent);
        // I about the parent's origin: with c = h / m, I + m(...)(s + c) - m(...)c, written without a division.
        const Vector both = k.h + k.M.xx * k.s;
        const double trace = dot(k.s, both) + dot(k.s, k.h);
        const Vector &h = k.h, &d = k.s;
        p.A = p.A + k.A + Symmetric3<double>{trace - d.x * both.x - h.x * d.x, trace - d.y * both.y - h.y * d.y,
                                             trace - d.z * both.z - h.z * d.z, -d.x * both.y - h.x * d.y,
                                             -d.x * both.z - h.x * d.z,        -d.y * both.z - h.y * d.z};
        p.h += both;
        p.M.xx += k.M.xx;
    }
    const int n = s.velocities;
    std::fill(H, H + n * n, 0.0);
    for (int i = 0; i < s.links(); ++i) {
        const Link& l = s.link[i];
        const LinkWork& k = work.of(i);
        for (int c = 0; c < kind_velocities[l.kind]; ++c) {
            const Matrix3<double>& axes = l.kind == ball ? k.at.R : k.axes;
            const Vector a = kind_velocities[l.kind] == 1 ? k.a : (c == 0 ? axes.x : c == 1 ? axes.y : axes.z);
            const double turns = l.kind == turn || l.kind == screw || l.kind == ball ? 1 : 0;
            const double slides = l.kind == slide || l.kind == shift ? 1 : (l.kind == screw ? l.pitch : 0);
            const Vector w = turns * a, v = slides * a;
            Wrench f{k.A * w + cross(k.h, v), k.M.xx * v + cross(w, k.h)};
            double row[3];
            for (int j = i; j >= 0; j = s.link[j].parent) {
                const Link& m = s.link[j];
                joint_effort(m, work.of(j), f, row);
                for (int r = 0; r < kind_velocities[m.kind]; ++r)
                    H[(m.v + r) * n + l.v + c] = H[(l.v + c) * n + m.v + r] = row[r];
                f.n += cross(work.of(j).s, f.f);
            }
            H[(l.v + c) * n + l.v + c] += l.armature;
        }
    }
}

}  // namespace mubo
