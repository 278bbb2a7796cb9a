// Poses, velocities and accelerations of the bodies from the angles and slides of the loops.
#pragma once
#include "vectors.hpp"

namespace mubo {

// x y phi of the bodies in `order`.
template <class T>
MUBO_HOT void place_poses(const Loops<T>& s, const std::vector<int>& order, const LoopState<T>& at, T* out) {
    for (int b : order) {
        const LoopBody<T>& body = s.body[b];
        T *o = out + 3 * b, x = body.x, y = body.y;
        if (body.parent >= 0) x = out[3 * body.parent], y = out[3 * body.parent + 1];
        for (const Term<T>& t : body.terms) {
            const Vector2<T> e = direction(t, at);
            if (t.slide < 0 && t.driver < 0) {
                x += e.x, y += e.y;
            } else {
                const T k = value_of_scale(t, at);
                x += k * e.x, y += k * e.y;
            }
        }
        o[0] = x, o[1] = y, o[2] = body.angle >= 0 ? body.offset + at.x[body.angle] : body.offset;
    }
}

// x y phi of the bodies in `order`, then their velocities, then their accelerations.
template <class T>
MUBO_HOT void place_bodies(const Loops<T>& s, const std::vector<int>& order, const LoopState<T>& at, T* out) {
    const int line = 3 * static_cast<int>(s.body.size());
    for (int b : order) {
        const LoopBody<T>& body = s.body[b];
        VectorMotion<T> r = at_rest<T>({body.x, body.y});
        if (body.parent >= 0) {
            const T* p = out + 3 * body.parent;
            r = {{p[0], p[1]}, {p[line], p[line + 1]}, {p[2 * line], p[2 * line + 1]}};
        }
        for (const Term<T>& t : body.terms) add(r, vector_motion(direction(t, at), t, at));
        const bool turns = body.angle >= 0;
        T* o = out + 3 * b;
        o[0] = r.p.x, o[1] = r.p.y, o[2] = turns ? body.offset + at.x[body.angle] : body.offset;
        o[line] = r.v.x, o[line + 1] = r.v.y, o[line + 2] = turns ? at.v[body.angle] : T(0.0);
        o[2 * line] = r.a.x, o[2 * line + 1] = r.a.y, o[2 * line + 2] = turns ? at.a[body.angle] : T(0.0);
    }
}

}  // namespace mubo
