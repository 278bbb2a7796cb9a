// Many variants of one mechanism: the same loops with other dimensions, each on its own way, none helped by another.
//
// A variant is first led from the nominal dimensions to its own with the drivers at rest, then moved over the time
// grid. Both ways obey the branch rules of `LoopSweeper::step`: a step that strays is halved, and one that cannot be
// taken ends the variant with a status. Several variants go side by side in the lanes of vector registers (group.hpp);
// the steps that must be divided are taken by one alone (alone.hpp). Numbers do not depend on lanes or threads.
#pragma once
#include <memory>
#include <vector>

#include "../status.hpp"
#include "system.hpp"

namespace mubo {

struct BatchTask {
    const double *nominal, *start;  // dimensions, and the unknowns there at times[0]
    const double *times, *motion;   // the laws at every time
    int rows, laws, dimensions;     // of `motion`: lines and columns
    std::vector<int> columns;       // of the placed bodies, as asked for
    std::vector<int> placed;        // bodies that these columns need, each after its parent
    bool rates;                     // are velocities or accelerations among them
    SweepOptions options;
};

struct Outcome {
    Status status;
    int reached;   // last row, -1: not assembled
    double where;  // part of the way to its own dimensions, or time, at which it stopped
};

// Moves so many variants at once.
class Crew {
  public:
    virtual ~Crew();
    virtual int width() const = 0;
    // The first `count` of them, at most `width`; rows of `out` after the last one reached are not numbers.
    virtual void run(const double* numbers, int count, double* out, Outcome* outcome) = 0;
};

using MakeCrew = std::unique_ptr<Crew> (*)(const LoopSystem&, const BatchTask&);

// The crews that this processor can work with: how many variants at once, the widest first, the last one alone.
struct CrewKind {
    int width;
    MakeCrew make;
};
std::vector<CrewKind> crew_kinds();

// All variants, shared out among threads; what a variant gives does not depend on its thread.
void run_batch(const LoopSystem& s, const BatchTask& task, MakeCrew make, int variants, int threads,
               const double* numbers, double* out, Outcome* outcome);

}  // namespace mubo
