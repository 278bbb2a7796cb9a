// A block prepared for solving: the terms that depend on its own unknowns, and those known from earlier blocks.
#pragma once
#include <utility>
#include <vector>

#include "vectors.hpp"

namespace mubo {

// Columns of the block's unknowns that turn and scale the term (-1: not of this block).
template <class T>
struct OwnTerm {
    const Term<T>* term;
    int turns, slides;
    bool plain;    // of constant length
    Vector2<T> e;  // its direction where it was last evaluated
};

// A loop within a block: the rows of its x and y equations in the block (-1: solved in another block).
template <class T>
struct Polygon {
    int row_x, row_y;
    std::vector<const Term<T>*> known;
    std::vector<OwnTerm<T>> own;
    VectorMotion<T> sum;  // of the known terms
};

// A linear equation, and the columns of its unknowns (-1: known).
template <class T>
struct Line {
    int row;
    const Linear<T>* of;
    std::vector<int> column;
};

// Terms are referenced, not copied: their vectors may change between two motions.
template <class T>
struct BlockPlan {
    // `column` is workspace with one number per unknown; all are -1 before and after.
    BlockPlan(const Loops<T>& s, const Block& b, std::vector<int>& column) : unknowns(b.unknowns) {
        for (size_t k = 0; k < unknowns.size(); ++k) column[unknowns[k]] = static_cast<int>(k);
        const auto column_of = [&](int unknown) { return unknown < 0 ? -1 : column[unknown]; };
        const int loops = 2 * static_cast<int>(s.loop.size()), n = static_cast<int>(b.rows.size());
        for (int k = 0; k < n; ++k) {
            const int row = b.rows[k];
            if (row >= loops) {
                const Linear<T>& of = s.linear[row - loops];
                lines.push_back({k, &of, {}});
                for (int u : of.unknown) lines.back().column.push_back(column_of(u));
                continue;
            }
            const bool both = row % 2 == 0 && k + 1 < n && b.rows[k + 1] == row + 1;
            Polygon<T> p{row % 2 ? -1 : k, both ? k + 1 : row % 2 ? k : -1, {}, {}, {}};
            for (const Term<T>& t : s.loop[row / 2]) {
                // A slide perpendicular to the only equation of the loop in this block has no effect on it, and may be
                // solved later.
                if (!both && t.angle < 0 && all((row % 2 ? t.y : t.x) == T(0.0))) continue;
                const int turns = column_of(t.angle), slides = column_of(t.slide);
                if (turns < 0 && slides < 0)
                    p.known.push_back(&t);
                else
                    p.own.push_back({&t, turns, slides, t.slide < 0 && t.driver < 0, {}});
            }
            polygons.push_back(std::move(p));
            k += both;
        }
        for (int u : unknowns) {
            column[u] = -1;
            if (u < s.angles) angles.push_back(u);
        }
        detect_single_term();
        if (unknowns.size() != 2 || polygons.size() != 1 || polygons[0].row_y < 0 || !lines.empty()) return;
        std::vector<OwnTerm<T>>& own = polygons[0].own;
        bars_ = own.size() == 2 && own[0].plain && own[1].plain && own[0].turns != own[1].turns;
        if (bars_ && own[0].turns > own[1].turns) std::swap(own[0], own[1]);
    }

    // True for one linear equation of one unknown, which needs no iteration.
    bool direct() const { return unknowns.size() == 1 && lines.size() == 1; }

    // True for an RRR dyad: two vectors of constant length, each turned by one of the two unknowns.
    bool two_bars() const { return bars_; }

    // True for one equation of a loop for one angle, which rotates one vector of constant length.
    bool one_bar() const { return bar_; }
    // True for one equation of a loop for one slide along a fixed direction.
    bool one_slide() const { return slide_; }

    std::vector<int> unknowns, angles;
    std::vector<Polygon<T>> polygons;
    std::vector<Line<T>> lines;

  private:
    void detect_single_term() {
        if (unknowns.size() != 1 || polygons.size() != 1 || !lines.empty() || polygons[0].own.size() != 1) return;
        const OwnTerm<T>& own = polygons[0].own[0];
        bar_ = own.plain;
        slide_ = own.turns < 0 && own.term->angle < 0;
    }

    bool bars_ = false, bar_ = false, slide_ = false;
};

// Sum of the known terms of a loop.
template <class T>
VectorMotion<T> known_sum(const Polygon<T>& polygon, const LoopState<T>& at) {
    VectorMotion<T> sum = at_rest<T>({T(0.0), T(0.0)});
    for (const Term<T>* t : polygon.known) {
        const Vector2<T> e = direction(*t, at);
        if (t->angle < 0 && t->slide < 0 && t->driver < 0)
            sum.p = sum.p + e;
        else
            add(sum, vector_motion(e, *t, at));
    }
    return sum;
}

// A linear equation without its constant, for the unknowns or their rates of any order.
template <class T>
T sum_along(const Line<T>& line, const T* unknown, const LoopState<T>& at, int order) {
    T sum = line.of->driver < 0 ? T(0.0) : -at.motion[3 * line.of->driver + order];
    for (size_t i = 0; i < line.column.size(); ++i) sum += line.of->factor[i] * unknown[line.of->unknown[i]];
    return sum;
}

}  // namespace mubo
