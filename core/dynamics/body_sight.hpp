// What sensors see of bodies in absolute coordinates: see loads/sensor.hpp. Body -1 is the ground.
#pragma once
#include "../loads/steering.hpp"

namespace mubo {

// Friction by the force that its joint carries: its load, the laws' column that holds its size, and where the rows of
// the joint stand in J, those of one body.
struct RubOn {
    int load, law;
    double coefficient;
    std::vector<int> row, end;
};

// A motion of the plane as one in space.
inline MotionOf<Space, double> lifted(const MotionOf<Plane, double>& m) {
    return {{{m.c, m.s, 0}, {-m.s, m.c, 0}, {0, 0, 1}}, {m.r.x, m.r.y, 0}, {0, 0, m.w}, {m.v.x, m.v.y, 0}};
}
inline const MotionOf<Space, double>& lifted(const MotionOf<Space, double>& m) {
    return m;
}
inline double turn_of(const MotionOf<Plane, double>& m) {
    return m.phi;
}
inline double turn_of(const MotionOf<Space, double>&) {
    return std::numeric_limits<double>::quiet_NaN();  // only bodies of the plane have one
}

template <class Moment>
struct BodySight {
    const Moment& moment;
    double t;
    const double *velocities, *turns;

    double law(int k, int order) const { return moment.driven(k, order); }
    // Coordinates of joints are read off bodies.
    double q(int) const { return std::numeric_limits<double>::quiet_NaN(); }
    double v(int) const { return std::numeric_limits<double>::quiet_NaN(); }
    MotionOf<Space, double> at(int body) const {
        if (body < 0) return {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
        return lifted(moment.motion(body, velocities));
    }
    double turned(int body) const { return body < 0 ? 0 : turn_of(moment.motion(body, velocities)); }
    double near(int k) const { return turns[k]; }
};

}  // namespace mubo
