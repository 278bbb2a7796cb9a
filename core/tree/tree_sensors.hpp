// The view of a tree in motion that sensors read: see loads/sensors.hpp.
#pragma once
#include "work.hpp"

namespace mubo {

struct TreeSensorView {
    const TreeSystem& s;
    const TreeWork& work;
    double t;
    const double *positions, *velocities;

    double law(int k, int order) const { return s.law[k].at(t, work.inside_span(t), order); }
    double q(int k) const { return positions[k]; }
    double v(int k) const { return velocities[k]; }
    const Motion& at(int link) const { return work.of(link).at; }
    double plane_angle(int link) const { return work.of(link).plane_angle; }
    double near(int k) const { return work.near[k]; }
};

// Reads the given sensors at the motion in `work`.
inline void read_sensors(const TreeSystem& s, double t, const double* q, const double* v,
                         const std::vector<int>& numbers, TreeWork& work) {
    work.room.read_sensors(s, TreeSensorView{s, work, t, q, v}, numbers);
}

inline double value_of(const TreeSystem& s, int bytecode, double t, TreeWork& work) {
    return work.room.value(s.bytecode[bytecode], t);
}

// Rates of the angles whose turns the state counts.
inline void winding_rates(const TreeSystem& s, double t, const double* q, const double* v, const TreeWork& work,
                          double* rates) {
    const TreeSensorView view{s, work, t, q, v};
    for (int k = 0; k < s.windings(); ++k)
        rates[k] = read_sensor(view, s.sensors.sensor[s.winding[k]],
                               s.sensors.parameter.data() + s.sensors.sensor[s.winding[k]].parameter)
                       .d[0];
}

}  // namespace mubo
