// The plan of the elimination of loop rows: at which links each is present, where it is eliminated, and where its
// numbers are stored. It is computed once.
//
// A row connects two or three links. In the order of the links from the last to the first, a row is present at its own
// links and at all between them and their nearest common ancestor; there it is closed and eliminated, so that only open
// rows are propagated inwards (Brandl, Johanni and Otter 1987; Bae and Haug 1987). Rows open at a moving joint are
// coupled; eliminating a row couples its neighbours. Rows that end at the ground are eliminated last, by minimum
// degree.
#pragma once
#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "../rows/each.hpp"
#include "../tree/system.hpp"

namespace mubo {

struct OpenRow {
    int row, slot, above;  // slots of its wrench at this link and at the parent (-1: the ground)
};
struct Couple {
    int a, b, entry;  // indices among the open rows of a link (or neighbours of a row), and the entry of L
};
struct Neighbour {
    int row, slot, entry;  // its wrench at the link (-1 at the ground), and L of it with the row eliminated
};
// Consecutive entries in the arrays of a plan.
template <class T>
struct Slice {
    const T *first = nullptr, *last = nullptr;

    const T* begin() const { return first; }
    const T* end() const { return last; }
    const T& operator[](int k) const { return first[k]; }
};

struct Elimination {
    int row, slot, diagonal;
    Slice<Neighbour> neighbour;
    Slice<Couple> update;
};
struct LinkRows {
    Slice<Elimination> closed;
    Slice<OpenRow> open;
    Slice<Couple> couple;  // empty where the joint does not move
};

struct RowPlan {
    std::vector<LinkRows> at;  // the ground first, then the links
    std::vector<int> end;      // per row and end: the slot that its wrench there is added to, -1: none
    int slots = 0, entries = 0, rows = 0;

    RowPlan() = default;
    RowPlan(RowPlan&&) = default;  // a copy would point into the arrays of the original
    RowPlan& operator=(RowPlan&&) = default;

  private:
    friend class Planner;
    std::vector<Elimination> closed_;
    std::vector<Neighbour> neighbour_;
    std::vector<OpenRow> open_;
    std::vector<Couple> couple_;
};

// The selected rows with their plan.
struct RowChoice {
    std::vector<char> active;
    RowPlan plan;

    int count() const { return static_cast<int>(std::count(active.begin(), active.end(), 1)); }
};

class Planner {
  public:
    // `ends`: most_bodies links a row (-1: the ground, -2: none); rows that are not `active` are left out.
    Planner(const TreeSystem& s, const std::vector<int>& ends, const std::vector<char>& active)
        : s_(s),
          ends_(ends),
          rows_(static_cast<int>(active.size())),
          at_(s.links() + 1),
          neighbours_(rows_),
          present_(s.links() + 1) {
        plan_.end.assign(ends.size(), -1);
        plan_.rows = rows_;
        for (int r = 0; r < rows_; ++r) {
            if (!active[r]) continue;
            closes_.push_back({r, ancestor(r)});
            for (int k = 0; k < max_bodies; ++k)
                if (const int link = ends[max_bodies * r + k]; link >= 0) plan_.end[max_bodies * r + k] = slot(link, r);
        }
    }

    RowPlan build() {
        std::vector<std::vector<int>> closed(s_.links() + 1);
        for (const auto& [row, link] : closes_) closed[link + 1].push_back(row);
        for (int i = s_.links() - 1; i >= -1; --i) {
            eliminate(i, closed[i + 1]);
            if (i >= 0) hand_on(i);
        }
        lay_out();
        return std::move(plan_);
    }

  private:
    struct Step {
        int row, slot, diagonal;
        std::vector<Neighbour> neighbour;
        std::vector<Couple> update;
    };
    struct AtLink {
        std::vector<Step> closed;
        std::vector<OpenRow> open;
        std::vector<Couple> couple;
    };
    const TreeSystem& s_;
    const std::vector<int>& ends_;
    const int rows_;
    RowPlan plan_;
    std::vector<AtLink> at_;
    std::vector<std::set<int>> neighbours_;     // rows coupled with each row
    std::vector<std::map<int, int>> present_;   // per link: row, slot
    std::map<std::pair<int, int>, int> entry_;  // of L
    std::vector<std::pair<int, int>> closes_;

    int slot(int link, int row) {
        const auto [at, fresh] = present_[link + 1].try_emplace(row, plan_.slots);
        if (fresh) ++plan_.slots;
        return at->second;
    }
    int entry(int a, int b) {
        const auto [at, fresh] = entry_.try_emplace(std::minmax(a, b), plan_.entries);
        if (fresh) ++plan_.entries;
        return at->second;
    }
    void couple(int a, int b) {
        if (a != b) neighbours_[a].insert(b), neighbours_[b].insert(a);
    }

    // The nearest common ancestor of the ends of a row; links are numbered from the ground outwards.
    int ancestor(int row) const {
        int common = -2;
        for (int k = 0; k < max_bodies; ++k) {
            int other = ends_[max_bodies * row + k];
            if (other == -2) continue;
            if (common == -2) common = other;
            while (common != other) (common > other ? common : other) = s_.link[std::max(common, other)].parent;
        }
        return common;
    }

    void eliminate(int link, std::vector<int> closed) {
        while (!closed.empty()) {
            const auto least = std::min_element(closed.begin(), closed.end(), [&](int a, int b) {
                return neighbours_[a].size() < neighbours_[b].size();
            });
            const int r = *least;
            closed.erase(least);
            Step e{r, link < 0 ? -1 : slot(link, r), entry(r, r), {}, {}};
            for (int s : neighbours_[r]) e.neighbour.push_back({s, link < 0 ? -1 : slot(link, s), entry(r, s)});
            for (int a = 0; a < static_cast<int>(e.neighbour.size()); ++a)
                for (int b = a; b < static_cast<int>(e.neighbour.size()); ++b) {
                    couple(e.neighbour[a].row, e.neighbour[b].row);
                    e.update.push_back({a, b, entry(e.neighbour[a].row, e.neighbour[b].row)});
                }
            for (int s : neighbours_[r]) neighbours_[s].erase(r);
            if (link >= 0) present_[link + 1].erase(r);
            at_[link + 1].closed.push_back(std::move(e));
        }
    }

    // Copies the plan into arrays, in the order in which it is used.
    void lay_out() {
        size_t steps = 0, neighbours = 0, opens = 0, couples = 0;
        for (const AtLink& at : at_) {
            steps += at.closed.size(), opens += at.open.size(), couples += at.couple.size();
            for (const Step& e : at.closed) neighbours += e.neighbour.size(), couples += e.update.size();
        }
        plan_.closed_.reserve(steps), plan_.neighbour_.reserve(neighbours);  // so that pointers stay valid below
        plan_.open_.reserve(opens), plan_.couple_.reserve(couples);
        for (auto at = at_.rbegin(); at != at_.rend(); ++at) {
            const size_t first = plan_.closed_.size();
            for (const Step& e : at->closed)
                plan_.closed_.push_back({e.row, e.slot, e.diagonal, append(e.neighbour, plan_.neighbour_),
                                         append(e.update, plan_.couple_)});
            const Elimination* closed = plan_.closed_.data();
            plan_.at.push_back({{closed + first, closed + plan_.closed_.size()},
                                append(at->open, plan_.open_),
                                append(at->couple, plan_.couple_)});
        }
        std::reverse(plan_.at.begin(), plan_.at.end());
    }
    template <class T>
    static Slice<T> append(const std::vector<T>& from, std::vector<T>& to) {
        const size_t first = to.size();
        to.insert(to.end(), from.begin(), from.end());
        return {to.data() + first, to.data() + to.size()};
    }

    void hand_on(int link) {
        const Link& l = s_.link[link];
        AtLink& at = at_[link + 1];
        for (const auto& [row, own] : present_[link + 1])
            at.open.push_back({row, own, l.parent < 0 ? -1 : slot(l.parent, row)});
        if (l.law >= 0 || kind_velocities[l.kind] == 0) return;
        for (int a = 0; a < static_cast<int>(at.open.size()); ++a)
            for (int b = a; b < static_cast<int>(at.open.size()); ++b) {
                couple(at.open[a].row, at.open[b].row);
                at.couple.push_back({a, b, entry(at.open[a].row, at.open[b].row)});
            }
    }
};

}  // namespace mubo
