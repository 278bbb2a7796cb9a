// The elimination order of a symmetric matrix by minimum degree (George and Liu 1981), with precedence: a constraint
// equation is eliminated after all bodies that it connects. Then the pivots of bodies are those of a definite matrix A
// and the negatives of the rows' pivots those of J A^-1 J': no pivoting is needed.
#pragma once
#include <algorithm>
#include <set>
#include <utility>
#include <vector>

namespace mubo {

class MinimumDegree {
  public:
    // `size` of every node; `predecessors[k]` are the nodes that must be eliminated before node k.
    MinimumDegree(std::vector<int> size, std::vector<std::vector<int>> predecessors)
        : size_(std::move(size)), predecessors_(std::move(predecessors)), neighbours_(size_.size()) {}

    void couple(int a, int b) {
        if (a == b) return;
        neighbours_[a].insert(b);
        neighbours_[b].insert(a);
    }

    // Nodes in the order of elimination, each with the later nodes that it is coupled with at that time.
    std::vector<std::pair<int, std::vector<int>>> order() {
        const int n = static_cast<int>(size_.size());
        std::vector<int> missing(n);
        std::vector<std::vector<int>> next(n);
        for (int k = 0; k < n; ++k) {
            missing[k] = static_cast<int>(predecessors_[k].size());
            for (int before : predecessors_[k]) next[before].push_back(k);
        }
        std::set<std::pair<long, int>> ready;
        for (int k = 0; k < n; ++k)
            if (missing[k] == 0) ready.insert({degree(k), k});
        std::vector<std::pair<int, std::vector<int>>> out;
        while (!ready.empty()) {
            const int now = ready.begin()->second;
            ready.erase(ready.begin());
            const std::vector<int> around(neighbours_[now].begin(), neighbours_[now].end());
            std::vector<long> before;
            for (int k : around) before.push_back(degree(k));
            for (int k : around) neighbours_[k].erase(now);
            for (size_t a = 0; a < around.size(); ++a)
                for (size_t b = a + 1; b < around.size(); ++b) couple(around[a], around[b]);
            for (size_t a = 0; a < around.size(); ++a)
                if (ready.erase({before[a], around[a]})) ready.insert({degree(around[a]), around[a]});
            for (int k : next[now])
                if (--missing[k] == 0) ready.insert({degree(k), k});
            out.push_back({now, around});
        }
        return out;
    }

  private:
    std::vector<int> size_;
    std::vector<std::vector<int>> predecessors_;
    std::vector<std::set<int>> neighbours_;

    long degree(int k) const {
        long sum = 0;
        for (int other : neighbours_[k]) sum += size_[other];
        return sum;
    }
};

}  // namespace mubo
