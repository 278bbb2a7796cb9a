// The nanobind bindings of vector loops.
#include "../loops/batch.hpp"
#include "../loops/formula.hpp"
#include "../loops/row_blocks.hpp"
#include "../loops/sweep.hpp"
#include "sweep_grid.hpp"

using namespace mubo;

using TermArrays = std::vector<std::tuple<int, int, int, double, double>>;  // angle, slide, driver, x, y
using LinearArrays = std::tuple<std::vector<int>, std::vector<double>, double, int>;
using BlockArrays = std::tuple<std::vector<int>, std::vector<int>>;
using BodyArrays = std::tuple<int, int, double, double, double, TermArrays>;

static std::vector<Term<double>> terms_of(const LoopSystem& s, const TermArrays& given) {
    std::vector<Term<double>> out;
    for (const auto& [angle, slide, driver, x, y] : given) {
        require(angle < s.angles && (slide < 0 || (slide >= s.angles && slide < s.unknowns())),
                "a term refers to an unknown that does not exist");
        out.push_back({angle, slide, driver, x, y});
    }
    return out;
}

static std::vector<int> parents_first(const std::vector<LoopBody<double>>& body) {
    std::vector<int> order;
    std::vector<std::vector<int>> children(body.size());
    for (size_t b = 0; b < body.size(); ++b) {
        auto& behind = body[b].parent < 0 ? order : children[body[b].parent];
        behind.push_back(static_cast<int>(b));
    }
    for (size_t k = 0; k < order.size(); ++k)
        for (const int child : children[order[k]]) order.push_back(child);
    require(order.size() == body.size(), "bodies are each other's parents");
    return order;
}

static LoopSystem make_loops(int angles, int slides, const std::vector<TermArrays>& loops,
                             const std::vector<LinearArrays>& linear, const std::vector<BlockArrays>& blocks,
                             const std::vector<BodyArrays>& bodies) {
    LoopSystem s;
    s.angles = angles;
    s.slides = slides;
    for (const auto& loop : loops) s.loop.push_back(terms_of(s, loop));
    for (const auto& [unknown, factor, constant, driver] : linear) {
        require(unknown.size() == factor.size(), "a linear equation has one factor per unknown");
        s.linear.push_back({unknown, factor, constant, driver});
    }
    for (const auto& [rows, unknowns] : blocks) {
        require(rows.size() == unknowns.size(), "a block has as many equations as unknowns");
        for (int r : rows) require(r >= 0 && r < s.equations(), "equation number out of range");
        for (int u : unknowns) require(u >= 0 && u < s.unknowns(), "unknown number out of range");
        s.block.push_back({rows, unknowns});
    }
    for (const auto& [parent, angle, offset, x, y, terms] : bodies) {
        require(parent < static_cast<int>(bodies.size()) && angle < angles,
                "a body refers to a parent or angle that does not exist");
        s.body.push_back({parent, angle, offset, x, y, terms_of(s, terms)});
    }
    s.order = parents_first(s.body);
    return s;
}

// The lane solver of a given number of lanes; 0: of as many as the processor supports.
static LaneSolverKind find_lane_solver(int lanes) {
    const auto kinds = lane_solver_kinds();
    for (const auto& kind : kinds)
        if (lanes == 0 || kind.width == lanes) return kind;
    throw std::invalid_argument("this processor does not support so many lanes");
}

static auto solve(const LoopSystem& s, In1<double> x, In1<double> motion, double tolerance, int max_iterations,
                  double scale) {
    const int n = s.unknowns();
    require(static_cast<int>(x.size()) == n, "x must have one entry per unknown");
    LoopSweeper<double> sweeper(s);
    std::vector<double> state(3 * n);
    std::copy(x.data(), x.data() + n, state.begin());
    double count = 0;
    const SweepOptions options{tolerance, max_iterations, false, nullptr, 0, scale};
    const Status status = sweeper.solve(state.data(), motion.data(), options, &count).status_of(0);
    auto signs = sweeper.signs(), sizes = sweeper.sizes();
    const size_t blocks = signs.size();
    return std::make_tuple(status, static_cast<int>(count), array(std::move(signs), {blocks}),
                           array(std::move(sizes), {blocks}), array(std::move(state), {3, static_cast<size_t>(n)}));
}

// Steps from the state at times[0] over times[1:], each output step in several parts; stops at the first that fails.
static auto sweep(const LoopSystem& s, In1<double> times, In2<double> motion, In2<double> start, In1<double> signs,
                  In1<double> largest, In1<double> weight, double tolerance, int max_iterations, bool taylor,
                  double part, double scale, int parts, double same, int lanes) {
    LoopSweeper<double> sweeper(s);
    SweepOptions options{tolerance, max_iterations, taylor, weight.data(), part, scale};
    const size_t blocks = s.block.size();
    require(signs.size() == blocks && largest.size() == blocks, "signs and largest must have one entry per block");
    std::vector<double> top(largest.data(), largest.data() + blocks);
    require(parts >= 1 && times.size() >= 1, "times must have all parts of every step");
    const RowGrid grid{times.data(), motion.data(), static_cast<int>(motion.shape(1)), parts};
    const int rows = static_cast<int>((times.size() - 1) / parts) + 1;
    std::unique_ptr<RowSolver> row_solver;
    std::unique_ptr<RowBlocks> row_blocks;
    if (taylor && rows > 2 * block_rows) {
        row_solver = find_lane_solver(lanes).make_rows(s);
        row_blocks = std::make_unique<RowBlocks>(*row_solver, grid, rows, s.unknowns());
    }
    SweepResult result = sweep_grid(
        {times, motion, start, parts, part, same}, s.unknowns(), weight,
        [&](int row, double* states, double* counts) {
            if (!row_blocks) return 0;
            SweepOptions at_once = options;
            at_once.part = part;
            at_once.exact = 0;  // a prediction may be exact to rounding, and still one iteration better
            return row_blocks->advance(row, at_once, signs.data(), states, top.data(), blocks, counts);
        },
        [&](double h, const double* last, double* next, const double* laws, double correction_part, double* count) {
            options.part = correction_part;
            return sweeper.step(h, last, next, signs.data(), top.data(), laws, options, count).status_of(0);
        });
    return std::make_tuple(result.status, result.reached, array(std::move(top), {blocks}), result.states,
                           result.counts);
}

// Bodies at every state: times x 3 x (3 per body).
static auto bodies(const LoopSystem& s, In3<double> states, In2<double> motion, int lanes) {
    const size_t n = s.unknowns(), width = 3 * s.body.size(), rows = states.shape(0);
    require(states.shape(1) == 3 && states.shape(2) == n && motion.shape(0) == rows,
            "states must be times x 3 x unknowns");
    Room out(rows * 3 * width);
    {
        nb::gil_scoped_release free_python;
        const RowGrid grid{nullptr, motion.data(), static_cast<int>(motion.shape(1)), 1};
        find_lane_solver(lanes).make_rows(s)->place(grid, static_cast<int>(rows), states.data(), out.data());
    }
    return out.array({rows, 3, width});
}

// Every dimension of the system, in which variants of a batch differ.
static auto numbers(LoopSystem& s) {
    std::vector<double> out;
    s.for_each_dimension([&](double& number) { out.push_back(number); });
    const size_t count = out.size();
    return array(std::move(out), {count});
}

// Bodies of the placed columns and their ancestors: each after its parent.
static std::vector<int> needed(const LoopSystem& s, const std::vector<int>& columns) {
    std::vector<char> wanted(s.body.size(), 0);
    for (const int column : columns)
        for (int b = column / 3 % static_cast<int>(s.body.size()); b >= 0 && !wanted[b]; b = s.body[b].parent)
            wanted[b] = 1;
    std::vector<int> order;
    for (const int b : s.order)
        if (wanted[b]) order.push_back(b);
    return order;
}

static std::vector<int> lane_widths() {
    std::vector<int> widths;
    for (const auto& kind : lane_solver_kinds()) widths.push_back(kind.width);
    return widths;
}

// Cosines, then sines, as the loops compute them.
static auto cos_sin_of(In1<double> angles) {
    const size_t n = angles.size();
    std::vector<double> out(2 * n);
    for (size_t k = 0; k < n; ++k) {
        const CosSin<double> rotation = cos_sin(angles(k));
        out[k] = rotation.c, out[n + k] = rotation.s;
    }
    return array(std::move(out), {2, n});
}

// Variants of the system with other numbers, over the whole time grid; `out` is variants x times x columns.
// Returns for each variant: status, last row reached (-1: not assembled), and where it stopped.
static auto batch(LoopSystem& s, In2<double> variants, In1<double> nominal, In1<double> start, In1<double> times,
                  In2<double> motion, In1<double> weight, double tolerance, int max_iterations, double part,
                  double scale, const std::vector<int>& columns, int lanes, int threads,
                  nb::ndarray<double, nb::ndim<3>, nb::c_contig, nb::device::cpu> out) {
    size_t dimensions = 0;
    s.for_each_dimension([&](double&) { ++dimensions; });
    const size_t n = s.unknowns(), count = variants.shape(0), rows = times.size();
    require(variants.shape(1) == dimensions && nominal.size() == dimensions, "a variant has one number per dimension");
    require(start.size() == n && weight.size() == n, "start and weight must have one entry per unknown");
    require(rows > 0 && motion.shape(0) == rows && threads > 0, "motion must have one row per time");
    require(out.shape(0) == count && out.shape(1) == rows && out.shape(2) == columns.size(), "out has another shape");
    const int width = 3 * static_cast<int>(s.body.size());
    for (int c : columns) require(c >= 0 && c < 3 * width, "column out of range");
    const BatchTask task{nominal.data(),
                         start.data(),
                         times.data(),
                         motion.data(),
                         static_cast<int>(rows),
                         static_cast<int>(motion.shape(1)),
                         static_cast<int>(dimensions),
                         columns,
                         needed(s, columns),
                         std::any_of(columns.begin(), columns.end(), [&](int c) { return c >= width; }),
                         {tolerance, max_iterations, true, weight.data(), part, scale}};
    std::vector<Outcome> outcome(count);
    {
        nb::gil_scoped_release free_python;
        run_batch(s, task, find_lane_solver(lanes).make, static_cast<int>(count), threads, variants.data(), out.data(),
                  outcome.data());
    }
    std::vector<double> end(3 * count);
    for (size_t k = 0; k < count; ++k) {
        end[k] = outcome[k].status;
        end[count + k] = outcome[k].reached;
        end[2 * count + k] = outcome[k].where;
    }
    return array(std::move(end), {3, count});
}

// Phi, dPhi/dt and d2Phi/dt2 of every equation along a motion, by Taylor numbers of time.
static auto along(const LoopSystem& s, In1<double> x, In1<double> v, In1<double> a, In1<double> motion) {
    const size_t rows = s.equations();
    std::vector<Taylor> phi(rows);
    loop_phi(s, AlongMotion{x.data(), v.data(), a.data()}, LawsInTime{motion.data()}, phi.data());
    std::vector<double> out(3 * rows);
    for (size_t r = 0; r < rows; ++r) out[r] = phi[r].v, out[rows + r] = phi[r].d, out[2 * rows + r] = phi[r].dd;
    return array(std::move(out), {3, rows});
}

void bind_loops(nb::module_& m) {
    m.def("lane_widths", &lane_widths, "How many variants of a batch this processor can solve at once: widest first.");
    m.def("cos_sin", &cos_sin_of, "Cosines, then sines, of angles, as the loops compute them.");
    nb::class_<LoopSystem>(m, "LoopSystem")
        .def("__init__",
             [](LoopSystem* self, int angles, int slides, const std::vector<TermArrays>& loops,
                const std::vector<LinearArrays>& linear, const std::vector<BlockArrays>& blocks,
                const std::vector<BodyArrays>& placed) {
                 new (self) LoopSystem(make_loops(angles, slides, loops, linear, blocks, placed));
             })
        .def_prop_ro("unknowns", &LoopSystem::unknowns)
        .def_prop_ro("equations", &LoopSystem::equations)
        .def("solve", &solve, "(status, corrections, signs of det J and smallest pivots by block, states 3 x unknowns)")
        .def("sweep", &sweep, nb::arg("times"), nb::arg("motion"), nb::arg("start"), nb::arg("signs"),
             nb::arg("largest"), nb::arg("weight"), nb::arg("tolerance"), nb::arg("max_iterations"), nb::arg("taylor"),
             nb::arg("part"), nb::arg("scale"), nb::arg("parts"), nb::arg("same"), nb::arg("lanes") = 0,
             "(status, steps done, largest smallest pivots, states, corrections per step)")
        .def("bodies", &bodies, nb::arg("states"), nb::arg("motion"), nb::arg("lanes") = 0,
             "Poses, velocities and accelerations of all bodies at every state.")
        .def("numbers", &numbers, "Every dimension of the system, in one fixed order.")
        .def("batch", &batch, "(status, last row reached, where it stopped) of every variant")
        .def("along", &along, "Phi, dPhi/dt, d2Phi/dt2 of every equation along a motion.");
}
