// A mechanism in absolute coordinates: bodies with mass, rows J v = nu of joints and drivers, loads, laws of time; and
// all of them at a state. Twists (v, w) and wrenches (f, n) belong to bodies' origins, in ground axes.
#pragma once
#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "../forces/demand.hpp"
#include "../kinematics/evaluate.hpp"
#include "../loads/evaluate.hpp"
#include "../number/law.hpp"
#include "body_sight.hpp"
#include "turning.hpp"

namespace mubo {

template <class SystemKind>
struct Bodies {
    using System = SystemKind;
    using Mass = MassOf<typename System::Pose>;
    using World = typename Mass::World;
    static constexpr int n = System::freedoms, width = System::width;

    System rows;
    std::vector<double> mass;  // Mass::numbers of every moving body
    double gravity[World::dimension] = {};
    LoadSet<World> loads;
    std::vector<TimeLaw> driver_law, load_law;
    std::vector<int> group;                  // the joint of each row
    std::vector<double> weight;              // makes rows comparable: 1 / length, or 1 of angles
    std::vector<char> active;                // rows that are independent
    Steering steering;                       // sizes of loads by the motion, and what events watch
    std::vector<std::pair<int, int>> sized;  // of every program of a load: its number, and the law that it stands for
    std::vector<RubOn> rub;

    int free() const { return rows.free_bodies; }
    int freedoms() const { return n * free(); }
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
        turned(Symmetric3<double>{mass[4], mass[5], mass[6], mass[7], mass[8], mass[9]}, at.A) + steiner(m, arm);
    const double values[36] = {m, 0,  0, 0,    z,    -y,   0, m, 0,  -z,   0,    x,    0,  0, m, y,    -x,   0,
                               0, -z, y, I.xx, I.xy, I.xz, z, 0, -x, I.xy, I.yy, I.yz, -y, x, 0, I.xz, I.yz, I.zz};
    std::copy(values, values + 36, out);
}

// What a body takes to move with a twist and an acceleration, less its weight.
inline void takes(const double* mass, const double* g, const Pose<double>& at, const double* v, const double* a,
                  double* out) {
    components(MassOf<Pose<double>>::takes(mass, g, at, v, a), out);
}
inline void takes(const double* mass, const double* g, const Pose3<double>& at, const double* v, const double* a,
                  double* out) {
    const Vector w{v[3], v[4], v[5]}, alpha{a[3], a[4], a[5]};
    components(MassOf<Pose3<double>>::takes(mass, g, at, w, a, alpha), out);
}

inline Rate rate_of(const Pose<double>&, const double* v) {
    return Rate::from(v);
}
inline Rate3 rate_of(const Pose3<double>& at, const double* v) {
    const auto p = Quaternion<double>{0, 0.5 * v[3], 0.5 * v[4], 0.5 * v[5]} * at.p;
    return {{v[0], v[1], v[2], p.w, p.x, p.y, p.z}};
}

// All there is at one state (t, q, v).
template <class System>
class Moment {
  public:
    using B = Bodies<System>;
    using Motion = MotionOf<typename B::World, double>;
    static constexpr int n = B::n;

    std::vector<typename System::Pose> pose;
    std::vector<double> J;  // [equation][most_bodies][n]; zero where a body stands
    std::vector<double> phi, nu, gamma;
    std::vector<double> force;  // of loads, [body][n] of all bodies
    LoadEnergy energy;
    double from = -std::numeric_limits<double>::infinity(), to = std::numeric_limits<double>::infinity();

    explicit Moment(const B& b)
        : pose(b.rows.poses()),
          J(static_cast<size_t>(most_bodies) * n * b.equations()),
          phi(b.equations()),
          nu(b.equations()),
          gamma(b.equations()),
          force(static_cast<size_t>(n) * b.rows.bodies()),
          b_(b),
          motion_(3 * b.driver_law.size()),
          law_(b.load_law.size()),
          moving_(b.rows.bodies()),
          room_(b.steering) {}

    // Laws with corners are seen from inside the time span under way.
    void at(double t, const double* q) {
        const double seen = t >= to ? std::nextafter(to, from) : t < from ? from : t;
        for (size_t k = 0; k < b_.driver_law.size(); ++k)
            for (int order = 0; order < 3; ++order) motion_[3 * k + order] = b_.driver_law[k].at(t, seen, order);
        for (size_t k = 0; k < b_.load_law.size(); ++k) law_[k] = b_.load_law[k].at(t, seen, 0);
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
                        double* to = J.data() + (static_cast<size_t>(at.row + r) * most_bodies + k) * n;
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

    // Forces of all loads with what they exchange; `near` has the angles that loads in space act along, then turns that
    // sensors count; friction by reactions takes these from J and `lam`.
    Fault load(const double* v, const double* near, const double* lam) {
        if (const Fault fault = size(v, near); fault.status != done) return fault;
        for (const RubOn& rub : b_.rub) law_[rub.law] = carried(rub, lam);
        std::fill(force.begin(), force.end(), 0.0);
        energy = {};
        for (const LoadOn& at : b_.loads.load)
            for (int body : at.body) moving_[body] = motion(body, v);
        for (size_t k = 0; k < b_.loads.load.size(); ++k) {
            const auto act = [&](auto load, const LoadOn& at, const Motion* m, double f, const double* p) {
                WrenchOf<typename B::World, double> on[2] = {};
                const Status status =
                    exchange<decltype(load), typename B::World>(at.along, m[0], m[1], near[k], f, p, on, energy);
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
    void slopes(size_t k, const double* near, double* K, double* C) {
        on(k, [&](auto load, const LoadOn& at, const Motion* m, double f, const double* p) {
            using Load = decltype(load);
            stiffness<Load, typename B::World>(at.along, m, near[k], f, p, K);
            return damping<Load, typename B::World>(at.along, m, near[k], f, p, C);
        });
    }

    // Angles that loads act along and their rates.
    void angles(const double* v, const double* near, double* value, double* rate) {
        for (size_t k = 0; k < b_.loads.load.size(); ++k) {
            const LoadOn& at = b_.loads.load[k];
            value[k] = rate[k] = 0;
            if (at.along != Along::turn) continue;
            const double* p = b_.loads.parameter.data() + at.parameter;
            const auto c = coordinate_between<typename B::World>(at.along, motion(at.body[0], v), motion(at.body[1], v),
                                                                 p, near[k]);
            value[k] = c.q, rate[k] = c.v;
        }
        const Steering& s = b_.steering;
        const size_t first = b_.loads.load.size();
        for (int k = 0; k < s.windings(); ++k) {
            const Sensor& sensor = s.reads.sensor[s.winding[k]];
            const Dual<1> turn = sensed(sight(v, near), sensor, s.reads.parameter.data() + sensor.parameter);
            value[first + k] = turn.v, rate[first + k] = turn.d[0];
        }
    }

    // What the program `number` of the events tells, with its rate.
    Dual<1> watch(int number, const double* v, const double* near) {
        room_.look(b_.steering, sight(v, near), b_.steering.watching);
        return room_.with_rate(b_.steering.program[b_.steering.sizes + number]);
    }
    // The size of a friction: the force of its joint's rows on one body, times its coefficient.
    double carried(const RubOn& rub, const double* lam) const {
        double sum = 0;
        for (int c = 0; c < B::World::dimension; ++c) {
            double f = 0;
            for (size_t k = 0; k < rub.row.size(); ++k)
                f += lam[rub.row[k]] * J[static_cast<size_t>(rub.end[k]) * n + c];
            sum += f * f;
        }
        return rub.coefficient * std::sqrt(sum);
    }
    double size_of(const RubOn& rub) const { return law_[rub.law]; }

    Motion motion(int body, const double* v) const {
        constexpr double rest[n] = {};
        if (body >= b_.free()) return standing(body);
        return Motion::from(q_ + B::width * body, v ? v + n * body : rest);
    }

    // What driven rows bring in is -lam nu.
    double brought(const double* lam) const {
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
    SteeringRoom room_;

    BodySight<Moment> sight(const double* v, const double* near) const {
        return {*this, t_, v, near + b_.loads.load.size()};
    }
    // Sizes of loads by programs.
    Fault size(const double* v, const double* near) {
        const Steering& s = b_.steering;
        if (!s.sizes) return {};
        room_.look(s, sight(v, near), s.steering);
        for (int k = 0; k < s.sizes; ++k) {
            const auto& [load, law] = b_.sized[k];
            law_[law] = room_.value(s.program[k], t_);
            if (!std::isfinite(law_[law])) return {no_size, load};
        }
        return {};
    }

    template <class Act>
    Status on(size_t k, Act&& act) {
        return b_.loads.on(k, [&](int body) -> const Motion& { return moving_[body]; }, law_.data(), act);
    }
    Motion standing(int body) const {
        constexpr double rest[n] = {};
        double q[B::width];
        for (int c = 0; c < B::width; ++c) q[c] = pose[body].coordinate(c);
        return Motion::from(q, rest);
    }
};

}  // namespace mubo
