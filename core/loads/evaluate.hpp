// The loads of a model in absolute coordinates, in the plane or in space: the formulas evaluated into arrays.
// Evaluation never changes them.
#pragma once
#include <vector>

#include "derive.hpp"
#include "plane/list.hpp"
#include "space/list.hpp"

namespace mubo {

struct BodyLoad {
    int kind;
    Along along;
    int body[2];    // the second is the first where the load acts on one body
    int law;        // column of the laws' values, -1: none
    int parameter;  // its first entry in parameter
};

template <class World>
struct LoadSet {
    using Loads = typename LoadsOf<World>::type;
    std::vector<BodyLoad> load;
    std::vector<double> parameter;
    int bodies = 0, laws = 0;  // that an evaluation requires

    // Calls act(Load{}, load, its two bodies, law's value, parameters) for load number `k`; motion(body) is pose and
    // twist of a body.
    template <class Motions, class Act>
    Status on(size_t k, Motions&& motion, const double* laws, Act&& act) const {
        const BodyLoad& at = load[k];
        const MotionOf<World, double> b[2] = {motion(at.body[0]), motion(at.body[1])};
        const double f = at.law < 0 ? 0 : laws[at.law];
        Status status = done;
        for_each_load<Loads>([&](int kind, auto load) {
            if (kind == at.kind) status = act(load, at, b, f, parameter.data() + at.parameter);
        });
        return status;
    }
};

}  // namespace mubo
