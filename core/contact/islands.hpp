// Islands: groups of bodies that may meet within a window of time, each integrated with steps of its own.
//
// An impact of one body ends the steps of its island alone, so that the cost grows with the number of contacts and not
// with its square. Groups of links that only contact connects are independent while none of their candidates can meet.
// At the start of a window those whose bounds are nearer than the margin form an island; no point may travel by more
// than half of it until the window ends. Where one does, the window ends there for all: islands that went farther are
// integrated again. Without candidates between groups the window is the whole span.
//   Mirtich, B.: Timewarp rigid body simulation. SIGGRAPH 2000
#pragma once
#include <algorithm>
#include <chrono>
#include <map>
#include <memory>

#include "../integrate/run.hpp"
#include "contact_problem.hpp"
#include "tree_part.hpp"

namespace mubo {

// The whole system, which decides who may meet and records the outputs.
class Islands : public ContactProblem {
  public:
    Islands(const TreeSystem& s, std::vector<Unit> units, ContactOptions o, UserForce user, EventFunction watch,
            RunOptions options, const double* y)
        : ContactProblem(s, std::move(units), o, std::move(user), std::move(watch)),
          o_(std::move(options)),
          groups_(s, unit),
          y_whole_(y, y + s.states()),
          step_(groups_.count(), o_.first_step),
          last_(unit.size(), -HUGE_VAL),
          fastest_of_(groups_.count(), 0.0) {
        find_crossing_units();
    }

    // Whether there are groups to be integrated apart.
    bool can_part() const {
        return LinkGroups::can_part(s_) && !work_.user && o_.events.empty() && o_.stops.empty() && !keeps_impacts &&
               groups_.count() > (crossing_.empty() ? 1 : few);
    }
    Status advance(Run<ContactProblem>& run, double seconds) {
        const auto began = std::chrono::steady_clock::now();
        const auto left = [&] {
            return seconds - std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
        };
        while (run.fault.status == running) {
            if (islands_.empty()) open_window(run.t);
            if (!integrate(run, left)) return running;
            close_window(run);
        }
        return run.fault.status;
    }

  private:
    static constexpr int few = 6;          // groups: fewer are one system
    static constexpr double window = 0.8;  // of the distance that points may travel
    struct Island {
        TreePart part;
        std::vector<int> units, groups;
        std::unique_ptr<ContactProblem> problem;
        std::unique_ptr<Run<ContactProblem>> run;
        double until = 0;  // the end of its run
    };
    const RunOptions o_;
    const LinkGroups groups_;
    std::vector<double> y_whole_, step_;
    std::vector<double> last_, fastest_of_;  // of units: their last impacts; of groups: the fastest
    std::vector<char> crosses_;              // of units: whether they connect two groups
    std::vector<int> crossing_, apart_;      // such units, and those of them that are in no island
    std::vector<double> reach_;              // of links: of their points in such units; -1: none
    std::vector<Island> islands_;
    double from_ = 0, to_ = 0;
    bool resumed_ = false;
    Fault failure_{running, -1};

    void find_crossing_units() {
        crosses_.assign(unit.size(), 0), reach_.assign(s_.links(), -1);
        for (int k = 0; k < static_cast<int>(unit.size()); ++k) {
            const int a = groups_.group(unit[k].body[0]), b = groups_.group(unit[k].body[1]);
            if (a < 0 || b < 0 || a == b) continue;
            crosses_[k] = 1;
            crossing_.push_back(k);
        }
        if (crossing_.empty() || groups_.count() <= few) return;
        if (!lists()) bound_units();
        for (int k : crossing_)
            for (int i = 0; i < 2; ++i)
                reach_[unit[k].body[i].link] = std::fmax(reach_[unit[k].body[i].link], norm(bounds_[k].center[i]));
    }
    double fence_width() const { return 0.45 * margin_; }

    // Who may meet within the next window, and how long it may be.
    void open_window(double t) {
        from_ = t, to_ = o_.end;
        failure_ = {running, -1};
        apart_.clear();
        std::vector<int> root(groups_.count());
        std::iota(root.begin(), root.end(), 0);
        const auto find = [&](int k) {
            while (root[k] != k) k = root[k] = root[root[k]];
            return k;
        };
        std::vector<int> inside;
        if (!crossing_.empty()) {
            move_links(t, y_whole_.data());
            for (int k : crossing_) {
                if (!needs_rows(k) && least_gap(k) > margin_) {
                    apart_.push_back(k);
                    continue;
                }
                inside.push_back(k);
                const int a = find(groups_.group(unit[k].body[0])), b = find(groups_.group(unit[k].body[1]));
                root[std::max(a, b)] = std::min(a, b);
            }
            to_ = std::fmin(to_, t + safe_time());
        }
        std::vector<int> number(groups_.count(), -1);
        std::vector<std::vector<int>> links;
        std::vector<std::vector<int>> groups, units;
        for (int g = 0; g < groups_.count(); ++g) {
            int& n = number[find(g)];
            if (n < 0)
                n = static_cast<int>(links.size()), links.emplace_back(), groups.emplace_back(), units.emplace_back();
            number[g] = n;
            groups[n].push_back(g);
            links[n].insert(links[n].end(), groups_.links[g].begin(), groups_.links[g].end());
        }
        for (int k = 0; k < static_cast<int>(unit.size()); ++k) {
            if (crosses_[k]) continue;
            const int g = std::max(groups_.group(unit[k].body[0]), groups_.group(unit[k].body[1]));
            if (g >= 0) units[number[g]].push_back(k);
        }
        for (int k : inside) units[number[groups_.group(unit[k].body[0])]].push_back(k);
        for (size_t n = 0; n < links.size(); ++n) {
            std::sort(links[n].begin(), links[n].end());
            std::sort(units[n].begin(), units[n].end());
            islands_.push_back({TreePart(s_, links[n]), units[n], groups[n], nullptr, nullptr, 0});
        }
    }
    // A time within which hardly any point leaves its fence.
    double safe_time() const {
        const double far = window * fence_width(), g = std::sqrt(dot(s_.gravity, s_.gravity));
        double least = HUGE_VAL;
        for (int k = 0; k < s_.links(); ++k) {
            if (reach_[k] < 0) continue;
            const double speed = norm(work_.of(k).at.v) + norm(work_.of(k).at.w) * reach_[k];
            const double root = std::sqrt(speed * speed + 2 * g * far);
            if (speed + root > 0) least = std::fmin(least, 2 * far / (speed + root));
        }
        return least;
    }

    // Integrates the islands to the end of the window; false where the time is up.
    template <class Left>
    bool integrate(Run<ContactProblem>& out, const Left& left) {
        for (size_t n = 0; n < islands_.size(); ++n) {
            Island& one = islands_[n];
            if (one.run && one.until <= to_ && one.run->fault.status == done) continue;
            if (!one.run || one.run->fault.status != running || one.until > to_) start(one, out);
            const Status status = one.run->advance(left());
            if (status == running) return false;
            if (one.problem->left >= HUGE_VAL && status == done) continue;
            to_ = std::fmin(one.problem->left, one.run->t);
            failure_ = {running, -1};
            if (one.problem->left >= HUGE_VAL) {
                failure_ = one.run->fault;
                int& where = failure_.where;
                if (where >= 0)
                    where = failure_.status == no_contact_solution ? one.units[where] : one.part.link[where];
            }
            if (!(to_ > from_)) return true;
            one.run = nullptr;
            n = static_cast<size_t>(-1);  // those that went farther again
        }
        return true;
    }
    void start(Island& one, const Run<ContactProblem>& out) {
        std::vector<Unit> units;
        std::map<int, int> first;  // unit of every element
        Memory memory;
        for (int k : one.units) {
            units.push_back(one.part.unit(unit[k]));
            units.back().element = first.emplace(unit[k].element, static_cast<int>(units.size()) - 1).first->second;
            memory.mode.push_back(mode[k]), memory.last_impact.push_back(last_[k]);
        }
        RunOptions o = o_;
        o.start = from_, o.end = to_, o.atol.clear(), o.times.clear();
        double shortest = HUGE_VAL;
        for (int g : one.groups)
            memory.fastest = std::fmax(memory.fastest, fastest_of_[g]), shortest = std::fmin(shortest, step_[g]);
        o.first_step = shortest;
        for (int i : one.part.q) o.atol.push_back(o_.atol[i]);
        for (int i : one.part.v) o.atol.push_back(o_.atol[s_.positions + i]);
        o.atol.insert(o.atol.end(), o_.atol.end() - 2, o_.atol.end());
        for (size_t i = out.rows; i < o_.times.size() && o_.times[i] <= to_; ++i) o.times.push_back(o_.times[i]);
        const std::vector<double> y = one.part.state(s_, y_whole_.data());
        one.problem = std::make_unique<ContactProblem>(one.part.system, std::move(units), options_, nullptr, nullptr);
        if (resumed_) one.problem->resume(std::move(memory));
        fence(one, y);
        one.run = std::make_unique<Run<ContactProblem>>(*one.problem, std::move(o), y.data());
        one.until = to_;
    }
    void fence(Island& one, const std::vector<double>& y) {
        std::vector<Traveller> points;
        for (size_t k = 0; k < one.part.link.size(); ++k)
            if (const double reach = reach_[one.part.link[k]]; reach >= 0)
                points.push_back({static_cast<int>(k), reach, {}, {}});
        if (!points.empty()) one.problem->fence(std::move(points), fence_width(), from_, y.data());
    }

    // Takes over what the islands have found.
    void close_window(Run<ContactProblem>& out) {
        if (!(to_ > from_) && from_ < o_.end) {
            out.fault = failure_;
            return;
        }
        put_rows(out);
        const size_t known = switches.size();
        long evaluations = 0;
        for (Island& one : islands_) {
            one.part.put_state(s_, one.run->state().data(), y_whole_.data());
            Memory memory = one.problem->memory();
            for (size_t i = 0; i < one.units.size(); ++i) {
                mode[one.units[i]] = memory.mode[i];
                if (i < memory.last_impact.size()) last_[one.units[i]] = memory.last_impact[i];
                unit[one.units[i]].limit = one.problem->unit[i].limit;
            }
            for (int g : one.groups) fastest_of_[g] = memory.fastest, step_[g] = one.run->h;
            for (SwitchRecord record : one.problem->switches) {
                record.unit = one.units[record.unit];
                switches.push_back(record);
            }
            largest_gain = std::fmax(largest_gain, one.problem->largest_gain);
            impacts_together += one.problem->impacts_together, tangential_impacts += one.problem->tangential_impacts;
            out.steps += one.run->steps, out.rejected += one.run->rejected, evaluations += one.run->evaluations();
            out.ends.insert(out.ends.end(), one.run->ends.begin(), one.run->ends.end());
        }
        std::stable_sort(switches.begin() + known, switches.end(), [](auto& a, auto& b) { return a.t < b.t; });
        out.take(y_whole_, evaluations);
        out.t = to_;
        resumed_ = true;
        islands_.clear();
        if (failure_.status != running)
            out.fault = failure_;
        else if (to_ >= o_.end)
            out.fault = {done, -1};
        else if (out.steps + out.rejected >= o_.max_steps * groups_.count())
            out.fault = {step_limit, -1};
        if (out.fault.status != running) std::sort(out.ends.begin(), out.ends.end());
    }
    void put_rows(Run<ContactProblem>& out) {
        const size_t count = islands_.front().run->rows, width = s_.states(), nv = s_.velocities;
        std::vector<size_t> next(islands_.size(), 0);
        for (size_t row = 0; row < count; ++row) {
            std::vector<double> y = y_whole_, line(row_width(), 0.0);
            std::vector<double> nearest(unit.size(), HUGE_VAL);  // of elements
            for (size_t n = 0; n < islands_.size(); ++n) {
                const Island& one = islands_[n];
                const size_t states = one.part.system.states(), m = one.part.v.size();
                one.part.put_state(s_, one.run->out.data() + row * states, y.data());
                const double* own = one.problem->table.data() + row * one.problem->row_width();
                for (size_t i = 0; i < m; ++i) line[one.part.v[i]] = own[i], line[nv + one.part.v[i]] = own[m + i];
                line[2 * nv] += own[2 * m];
                for (; 2 * next[n] < one.problem->recorded.size(); ++next[n]) {
                    const int* which = &one.problem->recorded[2 * next[n]];
                    if (which[0] != static_cast<int>(row)) break;
                    const int k = one.units[which[1]];
                    const double* numbers = &one.problem->units_table[unit_width * next[n]];
                    recorded.push_back(rows), recorded.push_back(k);
                    units_table.insert(units_table.end(), numbers, numbers + unit_width);
                    nearest[unit[k].element] = std::fmin(nearest[unit[k].element], numbers[0]);
                }
            }
            out.out.insert(out.out.end(), y.begin(), y.begin() + width);
            table.insert(table.end(), line.begin(), line.end());
            record_apart(o_.times[out.rows], y, nearest);
            ++rows, ++out.rows;
        }
    }
    // Records of each element the nearest unit, where it is in no island.
    void record_apart(double t, const std::vector<double>& y, std::vector<double>& nearest) {
        if (apart_.empty()) return;
        move_links(t, y.data());
        std::vector<int> which(unit.size(), -1);
        for (int k : apart_) {
            double& best = nearest[unit[k].element];
            if (least_gap(k) >= best) continue;
            evaluate(k, false);
            if (at[k].gap < best) best = at[k].gap, which[unit[k].element] = k;
        }
        const double none[4] = {};
        for (int k : which)
            if (k >= 0) record(k, none, normals_known | frictions_known);
    }
};

}  // namespace mubo
