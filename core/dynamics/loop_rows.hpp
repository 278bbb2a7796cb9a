// The rows that close the loops of a tree, at the motion of its links: gap, its rate, its second derivative in the
// motion of pass 1 (see tree/aba.hpp), and the wrenches K with d2Phi/dt2 = sum K.d + c about the links' origins.
//
// The rows are those of the absolute formulation, plane or space, of all cut joints, of couplings and of drivers of
// anything but a joint of the tree. The ground accelerates with gravity in pass 1; rows depend only on motion relative
// to it.
#pragma once
#include <cmath>
#include <vector>

#include "../kinematics/evaluate.hpp"
#include "../system.hpp"
#include "../tree/work.hpp"
#include "analytic_rows.hpp"

namespace mubo {

// A body of the plane or of space at the motion of its link.
template <class System>
struct BodyOfLink;
template <>
struct BodyOfLink<PlaneSystem> {
    Pose<double> pose;
    Rate rate, acceleration;  // acceleration relative to the ground

    static BodyOfLink on(const BodyOnLink& b, const LinkWork& k, const Vector& ground) {
        const Vector s = k.at.R * b.r, v = k.at.v + cross(k.at.w, s);
        const Vector a = k.acc - ground + cross(k.alpha, s) + cross(k.at.w, cross(k.at.w, s));
        return {{k.at.r.x + s.x, k.at.r.y + s.y, k.plane_angle + b.plane_angle},
                {v.x, v.y, k.at.w.z},
                {a.x, a.y, k.alpha.z}};
    }
    static Wrench wrench(const double* J) { return {{0, 0, J[2]}, {J[0], J[1], 0}}; }
    double rate_along(const double* J) const { return J[0] * rate.vx + J[1] * rate.vy + J[2] * rate.omega; }
    double acceleration_along(const double* J) const {
        return J[0] * acceleration.vx + J[1] * acceleration.vy + J[2] * acceleration.omega;
    }
};
template <>
struct BodyOfLink<SpaceSystem> {
    Pose3<double> pose;
    Rate3 rate;
    Vector v, w, acc, alpha;

    static BodyOfLink on(const BodyOnLink& b, const LinkWork& k, const Vector& ground) {
        const Vector s = k.at.R * b.r, v = k.at.v + cross(k.at.w, s), &w = k.at.w, r = k.at.r + s;
        const Matrix3<double> A = k.at.R * b.R;
        const Quaternion<double> p = quaternion(A), turn = Quaternion<double>{0, 0.5 * w.x, 0.5 * w.y, 0.5 * w.z} * p;
        const Vector a = k.acc - ground + cross(k.alpha, s) + cross(w, cross(w, s));
        return {{r, p, A}, {{v.x, v.y, v.z, turn.w, turn.x, turn.y, turn.z}}, v, w, a, k.alpha};
    }
    static Wrench wrench(const double* J) { return {{J[3], J[4], J[5]}, {J[0], J[1], J[2]}}; }
    double rate_along(const double* J) const {
        const Wrench K = wrench(J);
        return dot(K.f, v) + dot(K.n, w);
    }
    double acceleration_along(const double* J) const {
        const Wrench K = wrench(J);
        return dot(K.f, acc) + dot(K.n, alpha);
    }
};

struct LoopRows {
    int equations = 0;
    std::vector<int> end;        // most_bodies links a row: -1 the ground, -2 none
    std::vector<int> group;      // the joint of each row
    std::vector<double> weight;  // makes the rows of a joint comparable: 1 / length, or 1 of angles
    std::vector<int> law;        // of each driver column

    virtual ~LoopRows() = default;
    // Fills phi, rate, nu, bias and wrenches in `out`.
    virtual void evaluate(const TreeSystem& s, double t, const TreeWork& work, LoopWork& out) const = 0;

    // f, f', f'' of every driver; during an impulse f, zero, and the jump of f'.
    void drive(const TreeSystem& s, double t, const TreeWork& work, double* motion) const {
        const double inside_span = work.inside_span(t);
        for (size_t k = 0; k < law.size(); ++k) {
            if (law[k] < 0) continue;
            const int piece = s.law[law[k]].piece(inside_span);
            for (int order = 0; order < 3; ++order) motion[3 * k + order] = s.law[law[k]].on(piece, t, order);
            if (!work.jump.empty()) motion[3 * k + 1] = 0, motion[3 * k + 2] = work.jump[law[k]];
        }
    }
};

template <class System>
struct LoopRowsOf final : LoopRows {
    System rows;
    std::vector<BodyOnLink> body;  // of all bodies of the rows

    void evaluate(const TreeSystem& s, double t, const TreeWork& work, LoopWork& out) const override {
        drive(s, t, work, out.motion.data());
        rows.for_each([&](auto row, const Instance& at) {
            using Row = decltype(row);
            if constexpr (AnalyticRow<Row>::known) {
                const BodyOnLink* b[2] = {&body[at.body[0]], &body[at.body[1]]};
                const LinkWork* k[2] = {&work.of(b[0]->link), &work.of(b[1]->link)};
                AnalyticRow<Row>::evaluate(b, k, rows.parameter.data() + at.parameter, motion_of(at, out.motion.data()),
                                           at.row, out);
            } else {
                by_formula<Row>(at, work, out);
            }
        });
    }

    // Evaluates a row by its formula and its derivatives.
    template <class Row>
    void by_formula(const Instance& at, const TreeWork& work, LoopWork& out) const {
        constexpr int n = System::dofs;
        const Vector ground = work.entry[0].acc;
        typename System::Pose pose[Row::bodies];
        typename System::Rate rate[Row::bodies];
        BodyOfLink<System> body_of_link[Row::bodies];
        for (int k = 0; k < Row::bodies; ++k) {
            const BodyOnLink& b = body[at.body[k]];
            body_of_link[k] = BodyOfLink<System>::on(b, work.of(b.link), ground);
            pose[k] = body_of_link[k].pose, rate[k] = body_of_link[k].rate;
        }
        const double *p = rows.parameter.data() + at.parameter, *f = motion_of(at, out.motion.data());
        const Profile* profile = rows.profile_of(at);
        double J[Row::rows * n * Row::bodies], gamma[Row::rows];
        formula<Row>(pose, p, *f, profile, out.phi.data() + at.row);
        twist_jacobian<Row>(pose, p, *f, profile, J);
        right_sides<Row>(pose, rate, p, f, profile, out.nu.data() + at.row, gamma);
        for (int r = 0; r < Row::rows; ++r) {
            const int e = at.row + r;
            out.rate[e] = -out.nu[e];
            out.bias[e] = -gamma[r];
            for (int k = 0; k < Row::bodies; ++k) {
                const double* own = J + n * (Row::bodies * r + k);
                out.rate[e] += body_of_link[k].rate_along(own);
                out.bias[e] += body_of_link[k].acceleration_along(own);
                const BodyOnLink& b = body[at.body[k]];
                Wrench K = BodyOfLink<System>::wrench(own);
                K.n += cross(work.of(b.link).at.R * b.r, K.f);
                out.end[max_bodies * e + k] = K;
            }
        }
    }
};

}  // namespace mubo
