// Branches of a tree that nothing connects with its others but contact, as a system of their own.
#pragma once
#include <numeric>
#include <vector>

#include "../tree/system.hpp"
#include "units.hpp"

namespace mubo {

// Some links of a tree, all that hang on each other, with the numbers that links and entries of the state have in it.
struct TreePart {
    TreeSystem system;
    std::vector<int> link, q, v;  // of the part: numbers in the whole
    std::vector<int> at;          // of the whole: numbers in the part, -1: not in it

    TreePart(const TreeSystem& whole, const std::vector<int>& links) : link(links), at(whole.links(), -1) {
        TreeSystem& s = system;
        s.gravity = whole.gravity, s.planar = whole.planar, s.exchanges = whole.exchanges;
        s.parameter = whole.parameter;
        std::vector<int> local_v(whole.velocities, -1), local_q(whole.positions, -1);
        for (int k : links) {
            Link one = whole.link[k];
            at[k] = s.links();
            if (one.parent >= 0) one.parent = at[one.parent];
            for (int i = 0; i < kind_positions[one.kind]; ++i)
                local_q[one.q + i] = s.positions + i, q.push_back(one.q + i);
            for (int i = 0; i < kind_velocities[one.kind]; ++i)
                local_v[one.v + i] = s.velocities + i, v.push_back(one.v + i);
            one.q = s.positions, one.v = s.velocities;
            s.positions += kind_positions[one.kind], s.velocities += kind_velocities[one.kind];
            s.link.push_back(one);
        }
        for (TreeLoad one : whole.on_dof) {
            if (local_v[one.first] < 0) continue;
            one.first = local_v[one.first], one.second = local_q[one.second];
            s.on_dof.push_back(one);
        }
        for (TreeLoad one : whole.on_links) {
            if (!has(one.first) && !has(one.second)) continue;
            one.first = local(one.first), one.second = local(one.second);
            s.on_links.push_back(one);
        }
    }
    bool has(int k) const { return k >= 0 && at[k] >= 0; }
    int local(int k) const { return k < 0 ? -1 : at[k]; }

    Unit unit(Unit one) const {
        for (BodyOnLink* body : {&one.body[0], &one.body[1], &one.carrier}) body->link = local(body->link);
        return one;
    }
    // The state of the part in that of the whole; energies count from here on.
    std::vector<double> state(const TreeSystem& whole, const double* y) const {
        std::vector<double> out;
        for (int i : q) out.push_back(y[i]);
        for (int i : v) out.push_back(y[whole.positions + i]);
        out.insert(out.end(), 2, 0.0);
        return out;
    }
    void put_state(const TreeSystem& whole, const double* part, double* y) const {
        for (size_t i = 0; i < q.size(); ++i) y[q[i]] = part[i];
        for (size_t i = 0; i < v.size(); ++i) y[whole.positions + v[i]] = part[q.size() + i];
        y[whole.states() - 2] += part[q.size() + v.size()];
        y[whole.states() - 1] += part[q.size() + v.size() + 1];
    }
};

// Links in groups that only contact connects: of every link the number of its group.
class LinkGroups {
  public:
    std::vector<int> of;                  // group of every link
    std::vector<std::vector<int>> links;  // of every group, ascending

    LinkGroups(const TreeSystem& s, const std::vector<Unit>& units) : root_(s.links()) {
        std::iota(root_.begin(), root_.end(), 0);
        for (int k = 0; k < s.links(); ++k)
            if (s.link[k].parent >= 0) root_[k] = root(s.link[k].parent);
        for (const TreeLoad& one : s.on_links) unite(one.first, one.second);
        for (const Unit& u : units) {
            const bool moving = u.surface.kind == half_space && u.body[1].link >= 0;
            if (u.kind == contact_unit && !moving) continue;
            unite(u.body[0].link, u.body[1].link);
            if (u.kind == gear_unit) unite(u.body[0].link, u.carrier.link);
        }
        of.assign(s.links(), -1);
        std::vector<int> number(s.links(), -1);
        for (int k = 0; k < s.links(); ++k) {
            int& group = number[root(k)];
            if (group < 0) group = static_cast<int>(links.size()), links.emplace_back();
            of[k] = group;
            links[group].push_back(k);
        }
    }
    int count() const { return static_cast<int>(links.size()); }
    int group(const BodyOnLink& body) const { return body.link < 0 ? -1 : of[body.link]; }

    // Whether parts of a system can be integrated one without the others.
    static bool can_part(const TreeSystem& s) {
        return !s.loop_closure && s.law.empty() && s.reaction_friction.empty() && s.windings() == 0 &&
               s.bytecode.empty();
    }

  private:
    std::vector<int> root_;

    int root(int k) {
        while (root_[k] != k) k = root_[k] = root_[root_[k]];
        return k;
    }
    void unite(int a, int b) {
        if (a >= 0 && b >= 0) root_[std::max(root(a), root(b))] = std::min(root(a), root(b));
    }
};

}  // namespace mubo
