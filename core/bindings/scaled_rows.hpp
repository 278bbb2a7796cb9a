// The nanobind bindings of comparable lines of J and of kinds of equations, the same for the plane and for space.
#pragma once
#include "../kinematics/scaled_rows.hpp"
#include "arrays.hpp"

namespace mubo {

template <class System>
std::vector<typename System::Pose> placed(const System& s, In1<double> q) {
    require(static_cast<int>(q.size()) == s.unknowns(), "q must have one entry per unknown");
    auto pose = s.poses();
    s.place(q.data(), pose.data());
    return pose;
}

template <class System>
auto scaled_jacobian(const System& s, In1<double> q, In1<double> motion, In1<double> weight) {
    auto pose = placed(s, q);
    const size_t n = s.unknowns(), rows = s.equations;
    require(weight.size() == n, "the weight must have one entry per unknown");
    std::vector<double> J(rows * n), length(rows);
    evaluate_scaled_jacobian(s, pose.data(), motion.data(), weight.data(), J.data(), length.data());
    return std::make_tuple(array(std::move(J), {rows, n}), array(std::move(length), {rows}));
}

template <class System>
auto equation_kinds(const System& s, In1<double> q, In1<double> motion) {
    auto pose = placed(s, q);
    const size_t rows = s.equations;
    std::vector<double> turning(rows), radians(rows);
    const bool even = evaluate_equation_kinds(s, pose.data(), motion.data(), turning.data(), radians.data());
    return std::make_tuple(array(std::move(turning), {rows}), array(std::move(radians), {rows}), even);
}

template <class System>
void bind_scaled_rows(nb::class_<System>& bound) {
    bound
        .def("scaled_jacobian", &scaled_jacobian<System>,
             "J over the weights of the unknowns with lines of length one, and their lengths before.")
        .def(
            "equation_kinds", &equation_kinds<System>,
            "(1 for equations of angles alone, Phi per radian of those in the plane, whether factors are of one size)");
}

}  // namespace mubo
