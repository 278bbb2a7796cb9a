// The order in which nodes of a symmetric matrix are eliminated: least degree first (George and Liu 1981), with nodes
// that must wait for others: a row of constraints stands behind all bodies it joins. Then the pivots of bodies are
// those of a definite matrix A and the negatives of the rows' pivots those of J A^-1 J': none needs to be exchanged.
#pragma once
#include <algorithm>
#include <set>
#include <utility>
#include <vector>

namespace mubo {

class LeastDegree {
  public:
    // `size` of every node; `waits[k]` are the nodes that must be gone before node k.
    LeastDegree(std::vector<int> size, std::vector<std::vector<int>> waits)
        : size_(std::move(size)), waits_(std::move(waits)), near_(size_.size()) {}

    void couple(int a, int b) {
        if (a == b) return;
        near_[a].insert(b);
        near_[b].insert(a);
    }

    // Nodes in order, and for each the later nodes that it is coupled with at its turn.
    std::vector<std::pair<int, std::vector<int>>> order() {
        const int n = static_cast<int>(size_.size());
        std::vector<int> left(n);
        std::vector<std::vector<int>> next(n);
        for (int k = 0; k < n; ++k) {
            left[k] = static_cast<int>(waits_[k].size());
            for (int before : waits_[k]) next[before].push_back(k);
        }
        std::set<std::pair<long, int>> ready;
        for (int k = 0; k < n; ++k)
            if (left[k] == 0) ready.insert({degree(k), k});
        std::vector<std::pair<int, std::vector<int>>> out;
        while (!ready.empty()) {
            const int now = ready.begin()->second;
            ready.erase(ready.begin());
            const std::vector<int> around(near_[now].begin(), near_[now].end());
            std::vector<long> before;
            for (int k : around) before.push_back(degree(k));
            for (int k : around) near_[k].erase(now);
            for (size_t a = 0; a < around.size(); ++a)
                for (size_t b = a + 1; b < around.size(); ++b) couple(around[a], around[b]);
            for (size_t a = 0; a < around.size(); ++a)
                if (ready.erase({before[a], around[a]})) ready.insert({degree(around[a]), around[a]});
            for (int k : next[now])
                if (--left[k] == 0) ready.insert({degree(k), k});
            out.push_back({now, around});
        }
        return out;
    }

  private:
    std::vector<int> size_;
    std::vector<std::vector<int>> waits_;
    std::vector<std::set<int>> near_;

    long degree(int k) const {
        long sum = 0;
        for (int other : near_[k]) sum += size_[other];
        return sum;
    }
};

}  // namespace mubo
