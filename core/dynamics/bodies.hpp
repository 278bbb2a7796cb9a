// A mechanism in absolute coordinates: bodies with mass, constraint equations J v = nu of joints and drivers, loads,
// laws of time; and their evaluation at a state. Twists (v, w) and wrenches (f, n) are about the origins of bodies, in
// ground axes.
#pragma once
#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "../forces/inertial_wrench.hpp"
#include "../kinematics/evaluate.hpp"
#include "../loads/evaluate.hpp"
#include "../number/time_law.hpp"
#include "body_sensors.hpp"
#include "finite_displacement.hpp"

namespace mubo {

template <class SystemKind>
struct Bodies {
    using System = SystemKind;
    using Mass = MassOf<typename System::Pose>;
    using World = typename Mass::World;
    static constexpr int n = System::dofs, width = System::width;

    System rows;
    std::vector<double> mass;  // Mass::numbers of every moving body
    double gravity[World::dimension] = {};
    LoadSet<World> loads;
    std::vector<TimeLaw> driver_law, load_law;
    std::vector<int> group;                  // the joint of each row
    std::vector<double> weight;              // makes rows comparable: 1 / length, or 1 of angles
    std::vector<char> active;                // rows that are independent
    StateDependentLoads state_loads;         // sizes of loads as functions of the motion, and event functions
    std::vector<std::pair<int, int>> sized;  // for every bytecode of a load: the load, and the law that it replaces
    std::vector<JointFriction> reaction_friction;

    int free() const { return rows.free_bodies; }
    int dofs() const { return n * free(); }
    int equations() const { return rows.equations; }
    int states() const { return (width + n) * free() + 2; }  // q, v, energy dissipated, energy supplied
};

// Entries of M of one body, [n][n].
inline void mass_matrix(const double* mass, const Pose<double>& at, double* out) {
    const Vector2<double> arm = at.rotate(mass[1], mass[2]);
    const double m = mass[0],
                 values[9] = {m, 0, -m * arm.y, 0, m, m * arm.x, -m * arm.y, m * arm.x, mass[3] + m * dot(arm, arm)};
    std::copy(values, values + 9, out);
}
inline void mass_matrix(const double* mass, const Pose3<double>& at, double* out) {
    const Vector arm = at.rotate(mass + 1);
    const double m = mass[0], x = m * arm.x, y = m * arm.y, z = m * arm.z;
    const auto I =
        rotate_tensor(Symmetric3<double>{mass[4], mass[5], mass[6], mass[7], mass[8], mass[9]}, at.A) + steiner(m, arm);
    const double values[36] = {m, 0,  0, 0,    z,    -y,   0, m, 0,  -z,   0,    x,    0,  0, m, y,    -x,   0,
                               0, -z, y, I.xx, I.xy, I.xz, z, 0, -x, I.xy, I.yy, I.yz, -y, x, 0, I.xz, I.yz, I.zz};
    std::copy(values, values + 36, out);
}

// The inertial wrench of a body with a twist and an acceleration, minus its weight.
inline void inertial_wrench(const double* mass, const double* g, const Pose<double>& at, const double* v,
                            const double* a, double* out) {
    components(MassOf<Pose<double>>::inertial_wrench(mass, g, at, v, a), out);
}
inline void inertial_wrench(const double* mass, const double* g, const Pose3<double>& at, const double* v,
                            const double* a, double* out) {
    const Vector w{v[3], v[4], v[5]}, alpha{a[3], a[4], a[5]};
    components(MassOf<Pose3<double>>::inertial_wrench(mass, g, at, w, a, alpha), out);
}

inline Rate rate_of(const Pose<double>&, const double* v) {
    return Rate::from(v);
}
inline Rate3 rate_of(const Pose3<double>& at, const double* v) {
    const auto p = Quaternion<double>{0, 0.5 * v[3], 0.5 * v[4], 0.5 * v[5]} * at.p;
    return {{v[0], v[1], v[2], p.w, p.x, p.y, p.z}};
}

// The evaluation of constraint equations, loads and sensors at one state (t, q, v).
template <class System>
class StateEvaluation {
  public:
    using B = Bodies<System>;
    using Motion = MotionOf<typename B::World, double>;
    static constexpr int n = B::n;

    std::vector<typename System::Pose> pose;
    std::vector<double> J;  // [equation][max_bodies][n]; zero for fixed bodies
    std::vector<double> phi, nu, gamma;
    std::vector<double> force;  // of loads, [body][n] of all bodies
    LoadEnergy energy;
    double from = -std::numeric_limits<double>::infinity(), to = std::numeric_limits<double>::infinity();

    explicit StateEvaluation(const B& b)
        : pose(b.rows.poses()),
          J(static_cast<size_t>(max_bodies) * n * b.equations()),
          phi(b.equations()),
          nu(b.equations()),
          gamma(b.equations()),
          force(static_cast<size_t>(n) * b.rows.bodies()),
          b_(b),
          motion_(3 * b.driver_law.size()),
          law_(b.load_law.size()),
          moving_(b.rows.bodies()),
          room_(b.state_loads) {}

    // Laws with corners are evaluated from inside the current time span.
    void at(double t, const double* q) {
        const double inside_span = t >= to ? std::nextafter(to, from) : t < from ? from : t;
        for (size_t k = 0; k < b_.driver_law.size(); ++k)
            for (int order = 0; order < 3; ++order) motion_[3 * k + order] = b_.driver_law[k].at(t, inside_span, order);
        for (size_t k = 0; k < b_.load_law.size(); ++k) law_[k] = b_.load_law[k].at(t, inside_span, 0);
        b_.rows.place(q, pose.data());
        q_ = q, t_ = t;
    }
    double driven(int k, int order) const { return motion_[3 * k + order]; }

    void gaps() { evaluate_phi(b_.rows, pose.data(), motion_.data(), phi.data()); }

    // J and nu; gamma too where v is given.
    void jacobian(const double* v) {
        evaluate_nu(b_.rows, pose.data(), motion_.data(), nu.data());
        for_each_twist_jacobian(
            b_.rows, pose.data(), motion_.data(), [&](auto row, const Instance& at, const double* j) {
                using Row = decltype(row);
                for (int r = 0; r < Row::rows; ++r)
                    for (int k = 0; k < Row::bodies; ++k) {
                        double* to = J.data() + (static_cast<size_t>(at.row + r) * max_bodies + k) * n;
                        const double* own = j + (r * Row::bodies + k) * n;
                        if (at.body[k] < b_.free()) std::copy(own, own + n, to);
                    }
                if (!v) return;
                typename System::Pose b[Row::bodies];
                typename System::Rate rate[Row::bodies];
                gather<Row>(at, pose.data(), b);
                for (int k = 0; k < Row::bodies; ++k)
                    rate[k] = at.body[k] < b_.free() ? rate_of(b[k], v + n * at.body[k]) : typename System::Rate{};
                double same[Row::rows];
                right_sides<Row>(b, rate, b_.rows.parameter.data() + at.parameter, motion_of(at, motion_.data()),
                                 b_.rows.profile_of(at), same, gamma.data() + at.row);
            });
    }

    // Forces of all loads with their energies; `near` has the angles that loads in space act along, then the angles
    // that sensors count; friction from joint reactions uses J and `lam`.
    Fault load(const double* v, const double* near, const double* lam) {
        if (const Fault fault = size(v, near); fault.status != done) return fault;
        for (const JointFriction& reaction_friction : b_.reaction_friction)
            law_[reaction_friction.law] = friction_size(reaction_friction, lam);
        std::fill(force.begin(), force.end(), 0.0);
        energy = {};
        for (const BodyLoad& at : b_.loads.load)
            for (int body : at.body) moving_[body] = motion(body, v);
        for (size_t k = 0; k < b_.loads.load.size(); ++k) {
            const auto act = [&](auto load, const BodyLoad& at, const Motion* m, double f, const double* p) {
                WrenchOf<typename B::World, double> on[2] = {};
                const Status status = evaluate_forces_and_energy<decltype(load), typename B::World>(
                    at.along, m[0], m[1], near[k], f, p, on, energy);
                for (int i = 0; i < (at.along == Along::body ? 1 : 2); ++i) {
                    double line[n];
                    components(on[i], line);
                    for (int c = 0; c < n; ++c) force[at.body[i] * n + c] += line[c];
                }
                return status;
            };
            const Status status = on(k, act);
            if (status != done) return {status, static_cast<int>(k)};
        }
        return {};
    }

    // The stiffness and damping of load k, [2n][2n] over both its bodies.
    void load_derivatives(size_t k, const double* near, double* K, double* C) {
        on(k, [&](auto load, const BodyLoad& at, const Motion* m, double f, const double* p) {
            using Load = decltype(load);
            stiffness<Load, typename B::World>(at.along, m, near[k], f, p, K);
            return damping<Load, typename B::World>(at.along, m, near[k], f, p, C);
        });
    }

    // Angles that loads act along and their rates.
    void angles(const double* v, const double* near, double* value, double* rate) {
        for (size_t k = 0; k < b_.loads.load.size(); ++k) {
            const BodyLoad& at = b_.loads.load[k];
            value[k] = rate[k] = 0;
            if (at.along != Along::turn) continue;
            const double* p = b_.loads.parameter.data() + at.parameter;
            const auto c = coordinate_between<typename B::World>(at.along, motion(at.body[0], v), motion(at.body[1], v),
                                                                 p, near[k]);
            value[k] = c.q, rate[k] = c.v;
        }
        const StateDependentLoads& s = b_.state_loads;
        const size_t first = b_.loads.load.size();
        for (int k = 0; k < s.windings(); ++k) {
            const Sensor& sensor = s.sensors.sensor[s.winding[k]];
            const Dual<1> turn = read_sensor(sight(v, near), sensor, s.sensors.parameter.data() + sensor.parameter);
            value[first + k] = turn.v, rate[first + k] = turn.d[0];
        }
    }

    // The function of event bytecode `number`, with its rate.
    Dual<1> event_value(int number, const double* v, const double* near) {
        room_.read_sensors(b_.state_loads, sight(v, near), b_.state_loads.event_sensors);
        return room_.with_rate(b_.state_loads.bytecode[b_.state_loads.sizes + number]);
    }
    // The size of a friction: the force of its joint on one body, times its coefficient.
    double friction_size(const JointFriction& reaction_friction, const double* lam) const {
        double sum = 0;
        for (int c = 0; c < B::World::dimension; ++c) {
            double f = 0;
            for (size_t k = 0; k < reaction_friction.row.size(); ++k)
                f += lam[reaction_friction.row[k]] * J[static_cast<size_t>(reaction_friction.end[k]) * n + c];
            sum += f * f;
        }
        return reaction_friction.coefficient * std::sqrt(sum);
    }
    double size_of(const JointFriction& reaction_friction) const { return law_[reaction_friction.law]; }

    Motion motion(int body, const double* v) const {
        constexpr double at_rest[n] = {};
        if (body >= b_.free()) return standing(body);
        return Motion::from(q_ + B::width * body, v ? v + n * body : at_rest);
    }

    // The power that driven rows supply: -lam nu.
    double driver_power(const double* lam) const {
        double sum = 0;
        for (int e = 0; e < b_.equations(); ++e) sum -= lam[e] * nu[e];
        return sum;
    }

  private:
    const B& b_;
    const double* q_ = nullptr;
    double t_ = 0;
    std::vector<double> motion_, law_;
    std::vector<Motion> moving_;
    StateLoadWorkspace room_;

    BodySensorView<StateEvaluation> sight(const double* v, const double* near) const {
        return {*this, t_, v, near + b_.loads.load.size()};
    }
    // Evaluates the sizes of state-dependent loads.
    Fault size(const double* v, const double* near) {
        const StateDependentLoads& s = b_.state_loads;
        if (!s.sizes) return {};
        room_.read_sensors(s, sight(v, near), s.load_sensors);
        for (int k = 0; k < s.sizes; ++k) {
            const auto& [load, law] = b_.sized[k];
            law_[law] = room_.value(s.bytecode[k], t_);
            if (!std::isfinite(law_[law])) return {no_size, load};
        }
        return {};
    }

    template <class Act>
    Status on(size_t k, Act&& act) {
        return b_.loads.on(k, [&](int body) -> const Motion& { return moving_[body]; }, law_.data(), act);
    }
    Motion standing(int body) const {
        constexpr double at_rest[n] = {};
        double q[B::width];
        for (int c = 0; c < B::width; ++c) q[c] = pose[body].coordinate(c);
        return Motion::from(q, at_rest);
    }
};

}  // namespace mubo
