// The nanobind bindings of sensitivities to parameters, the same for the plane and for space.
#pragma once
#include "../kinematics/sensitivities.hpp"
#include "arrays.hpp"

namespace mubo {

// Sensitivities of a motion: singular (0 or 1 per time), sensitivities of the states, and per parameter and equation
// the largest residual |dPhi/dp|. They are NaN where J of the active equations is singular.
template <class System>
auto sensitivities(const System& s, In2<int> active, In3<double> states, In2<double> motion, In2<double> parameter,
                   In2<double> fixed, In3<double> laws, In2<double> profile) {
    const size_t n = s.unknowns(), m = s.equations, times = states.shape(0), count = parameter.shape(0);
    size_t coefficients = 0;
    for (const Profile& one : s.profile) coefficients += one.coefficient.size();
    require(states.shape(1) == 3 && states.shape(2) == n && motion.shape(0) == times,
            "states must be times x 3 x unknowns, motion one row per time");
    require(active.shape(0) == times && active.shape(1) == n, "active must name one equation per unknown and time");
    for (size_t k = 0; k < active.size(); ++k)
        require(active.data()[k] >= 0 && active.data()[k] < s.equations, "equation number out of range");
    require(parameter.shape(1) == s.parameter.size(), "parameter must have one column per number of the rows");
    require(fixed.shape(0) == count && fixed.shape(1) == System::width * s.fixed.size(),
            "fixed must have one column per coordinate of the fixed bodies");
    require(laws.shape(0) == times && laws.shape(1) == count && laws.shape(2) == motion.shape(1),
            "laws must be times x parameters x motion");
    require(profile.shape(0) == count && profile.shape(1) == coefficients, "profile must have all coefficients");
    std::vector<double> out(times * count * 3 * n), singular(times), open(count * m);
    {
        nb::gil_scoped_release free_python;
        Sensitivities<System> work(s);
        for (size_t t = 0; t < times; ++t) {
            double* sensitivity = out.data() + t * count * 3 * n;
            if (!work.at(active.data() + t * n, states.data() + t * 3 * n, motion.data() + t * motion.shape(1))) {
                singular[t] = 1;
                std::fill_n(sensitivity, count * 3 * n, std::numeric_limits<double>::quiet_NaN());
                continue;
            }
            for (size_t k = 0; k < count; ++k, sensitivity += 3 * n)
                work.along({parameter.data() + k * parameter.shape(1), fixed.data() + k * fixed.shape(1),
                            laws.data() + (t * count + k) * laws.shape(2), profile.data() + k * coefficients},
                           sensitivity, open.data() + k * m);
        }
    }
    return std::make_tuple(array(std::move(singular), {times}), array(std::move(out), {times, count, 3, n}),
                           array(std::move(open), {count, m}));
}

}  // namespace mubo
