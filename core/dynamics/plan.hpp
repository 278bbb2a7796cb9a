// Which loop rows are present at which link, where each is eliminated, and where its numbers stand: made once.
//
// A row joins two or three links. Walking the links from the last to the first, a row is present at its own links and
// at all between them and their nearest common ancestor; there it is closed and eliminated, so that only rows still
// open go on inwards (Brandl, Johanni and Otter 1987; Bae and Haug 1987). Rows open at a joint with a freedom couple;
// eliminating a row couples its neighbours. What joins the ground is eliminated last, in the order of least degree.
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
    int row, slot, above;  // its wrench at this link and at the parent (-1: the ground feels it)
};
struct Couple {
    int a, b, entry;  // places among the open rows of a link (or neighbours of a row), and the entry of L
};
struct Neighbour {
    int row, slot, entry;  // its wrench at the link (-1 at the ground), and L of it with the row eliminated
};
struct Elimination {
    int row, slot, diagonal;
    std::vector<Neighbour> neighbour;
    std::vector<Couple> update;
};
struct LinkRows {
    std::vector<Elimination> closed;
    std::vector<OpenRow> open;
    std::vector<Couple> couple;  // empty where the joint has no freedom
};

struct RowPlan {
    std::vector<LinkRows> at;  // the ground first, then the links
    std::vector<int> end;      // per row and end: the slot that its wrench there is added to, -1: none
    int slots = 0, entries = 0, rows = 0;
};

class Planner {
  public:
    // `ends`: most_bodies links a row (-1: the ground, -2: none); rows that are not `active` are left out.
    Planner(const TreeSystem& s, const std::vector<int>& ends, const std::vector<char>& active)
        : s_(s), ends_(ends), rows_(static_cast<int>(active.size())), near_(rows_), present_(s.links() + 1) {
        plan_.at.resize(s.links() + 1);
        plan_.end.assign(ends.size(), -1);
        plan_.rows = rows_;
        for (int r = 0; r < rows_; ++r) {
            if (!active[r]) continue;
            closes_.push_back({r, ancestor(r)});
            for (int k = 0; k < most_bodies; ++k)
                if (const int link = ends[most_bodies * r + k]; link >= 0)
                    plan_.end[most_bodies * r + k] = slot(link, r);
        }
    }

    RowPlan made() {
        std::vector<std::vector<int>> closed(s_.links() + 1);
        for (const auto& [row, link] : closes_) closed[link + 1].push_back(row);
        for (int i = s_.links() - 1; i >= -1; --i) {
            eliminate(i, closed[i + 1]);
            if (i >= 0) hand_on(i);
        }
        return std::move(plan_);
    }

  private:
    const TreeSystem& s_;
    const std::vector<int>& ends_;
    const int rows_;
    RowPlan plan_;
    std::vector<std::set<int>> near_;           // rows coupled with each row
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
        if (a != b) near_[a].insert(b), near_[b].insert(a);
    }

    // The nearest common ancestor of the ends of a row; links are numbered from the ground outwards.
    int ancestor(int row) const {
        int common = -2;
        for (int k = 0; k < most_bodies; ++k) {
            int other = ends_[most_bodies * row + k];
            if (other == -2) continue;
            if (common == -2) common = other;
            while (common != other) (common > other ? common : other) = s_.link[std::max(common, other)].parent;
        }
        return common;
    }

    void eliminate(int link, std::vector<int> closed) {
        while (!closed.empty()) {
            const auto least = std::min_element(closed.begin(), closed.end(),
                                                [&](int a, int b) { return near_[a].size() < near_[b].size(); });
            const int r = *least;
            closed.erase(least);
            Elimination e{r, link < 0 ? -1 : slot(link, r), entry(r, r), {}, {}};
            for (int s : near_[r]) e.neighbour.push_back({s, link < 0 ? -1 : slot(link, s), entry(r, s)});
            for (int a = 0; a < static_cast<int>(e.neighbour.size()); ++a)
                for (int b = a; b < static_cast<int>(e.neighbour.size()); ++b) {
                    couple(e.neighbour[a].row, e.neighbour[b].row);
                    e.update.push_back({a, b, entry(e.neighbour[a].row, e.neighbour[b].row)});
                }
            for (int s : near_[r]) near_[s].erase(r);
            if (link >= 0) present_[link + 1].erase(r);
            plan_.at[link + 1].closed.push_back(std::move(e));
        }
    }

    void hand_on(int link) {
        const Link& l = s_.link[link];
        LinkRows& at = plan_.at[link + 1];
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
