// Where the bodies are and how they move, from the angles and slides of the loops.
#pragma once
#include "vectors.hpp"

namespace mubo {

// x y phi of every body, then their velocities, then their accelerations.
inline void place_bodies(const LoopSystem& s, const Instant& at, double* out) {
    const int line = 3 * static_cast<int>(s.body.size());
    for (int b : s.order) {
        const LoopBody& body = s.body[b];
        Moving r{{body.x, body.y}, {0, 0}, {0, 0}};
        if (body.parent >= 0) {
            const double* p = out + 3 * body.parent;
            r = {{p[0], p[1]}, {p[line], p[line + 1]}, {p[2 * line], p[2 * line + 1]}};
        }
        for (const Term& t : body.terms) add(r, moving(direction(t, at), t, at));
        const bool turns = body.angle >= 0;
        double* o = out + 3 * b;
        o[0] = r.p.x, o[1] = r.p.y, o[2] = body.offset + (turns ? at.x[body.angle] : 0);
        o[line] = r.v.x, o[line + 1] = r.v.y, o[line + 2] = turns ? at.v[body.angle] : 0;
        o[2 * line] = r.a.x, o[2 * line + 1] = r.a.y, o[2 * line + 2] = turns ? at.a[body.angle] : 0;
    }
}

}  // namespace mubo
