// The view of bodies in absolute coordinates that sensors read: see loads/sensors.hpp. Body -1 is the ground.
#pragma once
#include "../loads/state_dependent_loads.hpp"

namespace mubo {

// Friction proportional to the joint force: its load, the column of its size among the laws, and the positions of the
// joint's rows in J, those of one body.
struct JointFriction {
    int load, law;
    double coefficient;
    std::vector<int> row, end;
};

// A motion of the plane as one in space.
inline MotionOf<Space, double> as_spatial(const MotionOf<Plane, double>& m) {
    return {{{m.c, m.s, 0}, {-m.s, m.c, 0}, {0, 0, 1}}, {m.r.x, m.r.y, 0}, {0, 0, m.w}, {m.v.x, m.v.y, 0}};
}
inline const MotionOf<Space, double>& as_spatial(const MotionOf<Space, double>& m) {
    return m;
}
inline double turn_of(const MotionOf<Plane, double>& m) {
    return m.phi;
}
inline double turn_of(const MotionOf<Space, double>&) {
    return std::numeric_limits<double>::quiet_NaN();  // only bodies of the plane have one
}

template <class StateEvaluation>
struct BodySensorView {
    const StateEvaluation& evaluation;
    double t;
    const double *velocities, *turns;

    double law(int k, int order) const { return evaluation.driven(k, order); }
    // Coordinates of joints are measured between bodies.
    double q(int) const { return std::numeric_limits<double>::quiet_NaN(); }
    double v(int) const { return std::numeric_limits<double>::quiet_NaN(); }
    MotionOf<Space, double> at(int body) const {
        if (body < 0) return {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
        return as_spatial(evaluation.motion(body, velocities));
    }
    double plane_angle(int body) const { return body < 0 ? 0 : turn_of(evaluation.motion(body, velocities)); }
    double near(int k) const { return turns[k]; }
};

}  // namespace mubo
