// Which candidates of contact are watched: those that may meet before their bodies have moved by a margin.
//
// Every side of a candidate lies in a ball about a point of its link. A gap is at least the distance of the two balls,
// and falls by no more than their points travel: by |r - r0| + |R - R0| s for a point at the distance s from the origin
// of its link (Verlet 1967, neighbour lists). Candidates whose balls are farther apart than the margin at a reference
// are left alone until two points may have travelled so far; then the list is made anew. Half-spaces of the ground and
// hollows bound the gap by itself. Few candidates are all watched.
#pragma once
#include "../dynamics/tree_problem.hpp"
#include "evaluate.hpp"

namespace mubo {

struct ContactOptions {
    bool planar = true;
    double slow = 0;           // a rate of slip below this is rest; by the size of the mechanism
    double gap_tolerance = 0;  // a gap below this is closed; by the size of the mechanism
};

// The system of a run of its own: exact friction sets the sense of its loads there.
struct OwnSystem {
    TreeSystem own;
};

class NearUnits : private OwnSystem, public TreeProblem {
  public:
    NearUnits(const TreeSystem& s, std::vector<Unit> units, ContactOptions options, UserForce user, EventFunction watch)
        : OwnSystem{s},
          TreeProblem(OwnSystem::own, std::move(user), std::move(watch)),
          unit(std::move(units)),
          mode(unit.size()),
          at(unit.size()),
          gap_tolerance(options.gap_tolerance),
          options_(options) {
        for (size_t k = 0; k < unit.size(); ++k) near_.push_back(static_cast<int>(k));
        lists_ = unit.size() > all_watched;
        if (lists_) bound_units();
    }

    std::vector<Unit> unit;
    std::vector<UnitMode> mode;
    std::vector<UnitState> at;  // at the last evaluation
    const double gap_tolerance;

    // A point of a link, at most so far from its origin, and where the link was at the reference.
    struct Traveller {
        int link;
        double reach;
        Vector r;
        Matrix3<double> R;
    };
    // Lets these points travel so far from a state on: `left` is the time at which one has.
    void fence(std::vector<Traveller> points, double distance, double t, const double* y) {
        fenced_ = std::move(points), distance_ = distance;
        move_links(t, y);
        refer(fenced_);
    }
    double left = HUGE_VAL;

  protected:
    const ContactOptions options_;
    std::vector<int> near_;  // numbers of the candidates that are watched, ascending

    double& own_parameter(int number) { return OwnSystem::own.parameter[number]; }
    void evaluate(int k, bool rows) { evaluate_unit(s_, work_, unit[k], options_.planar, rows, at[k]); }
    bool needs_rows(int k) const {
        return unit[k].kind == friction_unit ? mode[k].tangent != no_friction : mode[k].normal != open_gap;
    }
    static double norm(const Vector& x) { return std::sqrt(dot(x, x)); }

    // The links at a state.
    void move_links(double t, const double* y) {
        std::vector<double>& state = stage_;
        state.assign(y, y + size());
        drive(s_, t, work_, state.data(), state.data() + s_.positions, work_.a.data());
        move(s_, state.data(), state.data() + s_.positions, work_.a.data(), {0, 0, 0}, work_);
    }
    // Gaps and points at a state, and where `rows` the rows of those units that are closed.
    void evaluate_units(double t, const double* y, bool rows) {
        move_links(t, y);
        for (int k : near_) {
            if (unit[k].kind == contact_unit) evaluate(k, false);
            if (unit[k].kind != contact_unit || (rows && (needs_rows(k) || at[k].gap <= gap_tolerance)))
                evaluate(k, rows);
        }
    }

    // Whether the list holds at the links as they were last moved.
    bool list_holds() const { return !lists_ || spare * travel() < listed_; }
    // How far any of some points has travelled since its reference.
    double travel() const { return travel(travellers_); }
    double travel(const std::vector<Traveller>& points) const {
        double most = 0;
        for (const Traveller& one : points) {
            const auto& now = work_.of(one.link).at;
            const auto &a = now.R, &b = one.R;
            const Vector x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
            const double turned = std::sqrt(dot(x, x) + dot(y, y) + dot(z, z));
            most = std::fmax(most, norm(now.r - one.r) + turned * one.reach);
        }
        return most;
    }
    // Lists the candidates that may meet before two points travel by half the margin each, or by `least` at least, from
    // a state on.
    void watch(double t, const double* y, double least = 0) {
        if (!lists_) return;
        move_links(t, y);
        refer(travellers_);
        listed_ = std::fmax(margin_, 2 * spare * least);
        near_.clear();
        for (int k = 0; k < static_cast<int>(unit.size()); ++k)
            if (needs_rows(k) || least_gap(k) <= listed_) near_.push_back(k);
    }
    bool lists() const { return lists_; }
    void refer(std::vector<Traveller>& points) const {
        for (Traveller& one : points) one.r = work_.of(one.link).at.r, one.R = work_.of(one.link).at.R;
    }
    bool is_fenced() const { return !fenced_.empty(); }
    bool is_beyond() const { return travel(fenced_) > distance_; }

  private:
    static constexpr double spare = 2.5;       // two points, and what they travel between two looks
    static constexpr size_t all_watched = 24;  // candidates: of fewer a list costs more than it saves
    bool lists_ = false;
    double listed_ = 0;  // the margin of the present list
    std::vector<Traveller> fenced_;
    double distance_ = 0;

  protected:
    struct Bounds {
        bool by_gap = false, always = false;
        Vector center[2];  // in the axes of the links
        double radius = 0;
    };
    std::vector<Traveller> travellers_;
    std::vector<Bounds> bounds_;
    double margin_ = 0;  // as intended

    void bound_units() {
        std::vector<double> reach(s_.links(), -1.0);
        double sum = 0;
        for (const Unit& one : unit) {
            bounds_.push_back(bounds_of(one));
            const Bounds& b = bounds_.back();
            sum += b.radius;
            for (int i = 0; i < 2 && one.kind == contact_unit; ++i)
                if (const int link = one.body[i].link; link >= 0)
                    reach[link] = std::fmax(reach[link], norm(b.center[i]));
        }
        for (int k = 0; k < s_.links(); ++k)
            if (reach[k] >= 0) travellers_.push_back({k, reach[k], {0, 0, 0}, {}});
        margin_ = sum > 0 ? 0.5 * sum / static_cast<double>(unit.size()) : 1e8 * gap_tolerance;
    }
    static Bounds bounds_of(const Unit& u) {
        Bounds b;
        b.always = u.kind != contact_unit || (u.surface.kind == half_space && u.body[1].link >= 0);
        b.by_gap = u.surface.kind == half_space || u.surface.kind == hollow;
        double radius[2] = {u.radius, u.surface.radius};
        Vector center[2] = {from_body(u.point), {0, 0, 0}};
        if (u.kind == contact_unit && u.surface.kind != half_space) bound_surface(u.surface, center, radius);
        for (int i = 0; i < 2; ++i) b.center[i] = u.body[i].r + u.body[i].R * center[i];
        if (!b.by_gap) b.radius = radius[0] + radius[1];
        return b;
    }
    // The ball about a surface; of two edges also that about the first one.
    static void bound_surface(const Surface& s, Vector* center, double* radius) {
        const double* x = s.numbers.data();
        const auto about = [&](int i, const Vector& start, const Vector& along) {
            center[i] = start + 0.5 * along, radius[i] += 0.5 * norm(along);
        };
        if (s.kind == segment || s.kind == edge) about(1, from_body(x), from_body(x + 3));
        if (s.kind == edge) about(0, center[0], from_body(x + 12));
        if (s.kind == block) center[1] = from_body(x), radius[1] += norm(from_body(x + 3));
        if (s.kind == round_point || s.kind == hollow) center[1] = from_body(x);
        if (s.kind != polygon && s.kind != hull) return;
        const size_t count = s.numbers.size() / 3;
        double farthest = 0;
        for (size_t k = 0; k < count; ++k)
            center[1] = center[1] + (1.0 / static_cast<double>(count)) * from_body(x + 3 * k);
        for (size_t k = 0; k < count; ++k) farthest = std::fmax(farthest, norm(from_body(x + 3 * k) - center[1]));
        radius[1] += farthest;
    }
    double least_gap(int k) {
        const Bounds& b = bounds_[k];
        if (b.always) return -HUGE_VAL;
        if (b.by_gap) {
            evaluate(k, false);
            return at[k].gap;
        }
        const auto place = [&](int i) {
            const int link = unit[k].body[i].link;
            return link < 0 ? b.center[i] : work_.of(link).at.r + work_.of(link).at.R * b.center[i];
        };
        return norm(place(0) - place(1)) - b.radius;
    }
};

}  // namespace mubo
