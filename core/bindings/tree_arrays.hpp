// From arrays to a TreeSystem, and a user's Python function as a force. The class is bound in tree.cpp.
#pragma once
#include <nanobind/stl/optional.h>

#include <cmath>
#include <optional>
#include <tuple>
#include <vector>

#include "../tree/work.hpp"
#include "arrays.hpp"

namespace mubo {

using LawArrays = std::tuple<In1<double>, In3<double>>;  // edges; pieces x 3 x terms
// kind, along, first, second, law, parameters
using LoadArrays = std::tuple<int, int, int, int, int, std::vector<double>>;
constexpr int state_dependent =
    -2;  // in place of a law: the size comes from bytecode or a joint reaction, see state_dependent_loads.cpp
using UserFunction = std::optional<nb::callable>;
using CountedTurns = std::optional<In2<double>>;  // instants x angles whose turns the state counts

// A law of time, its pieces checked.
TimeLaw time_law(const LawArrays& given);

TreeSystem make_tree(In1<int> parent, In1<int> kind, In2<double> place, In2<double> axis, In1<double> pitch,
                     In2<double> inertia, In1<int> law, In1<double> gravity, const std::vector<LawArrays>& laws,
                     const std::vector<LoadArrays>& loads, const std::optional<In1<double>>& armature);

// Throws for times beyond the pieces of a law, where its series is not valid.
void require_covered(const TreeSystem& s, const double* t, size_t count);

// function(t, q, v) returns one generalised force per velocity. It acquires the interpreter lock itself.
UserForce user_force(const TreeSystem& s, const UserFunction& function);

}  // namespace mubo
