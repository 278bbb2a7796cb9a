// What sensors see of a tree in motion: see loads/sensor.hpp.
#pragma once
#include "work.hpp"

namespace mubo {

struct TreeSight {
    const TreeSystem& s;
    const TreeWork& work;
    double t;
    const double *positions, *velocities;

    double law(int k, int order) const { return s.law[k].at(t, work.seen(t), order); }
    double q(int k) const { return positions[k]; }
    double v(int k) const { return velocities[k]; }
    const Motion& at(int link) const { return work.of(link).at; }
    double turned(int link) const { return work.of(link).turned; }
    double near(int k) const { return work.near[k]; }
};

// The sensors named, at the motion in `work`.
inline void look(const TreeSystem& s, double t, const double* q, const double* v, const std::vector<int>& sensors,
                 TreeWork& work) {
    work.room.look(s, TreeSight{s, work, t, q, v}, sensors);
}

inline double value_of(const TreeSystem& s, int program, double t, TreeWork& work) {
    return work.room.value(s.program[program], t);
}

// Rates of the turns that the state counts.
inline void winding_rates(const TreeSystem& s, double t, const double* q, const double* v, const TreeWork& work,
                          double* rates) {
    const TreeSight sight{s, work, t, q, v};
    for (int k = 0; k < s.windings(); ++k)
        rates[k] = sensed(sight, s.reads.sensor[s.winding[k]],
                          s.reads.parameter.data() + s.reads.sensor[s.winding[k]].parameter)
                       .d[0];
}

}  // namespace mubo
