// The nanobind bindings of the core: arrays in, arrays and a status out. The bound classes and functions are in
// bindings/.
#include <nanobind/nanobind.h>

void bind_status(nanobind::module_& m);
void bind_plane(nanobind::module_& m);
void bind_space(nanobind::module_& m);
void bind_loops(nanobind::module_& m);
void bind_loads(nanobind::module_& m);
void bind_tree(nanobind::module_& m);
void bind_tree_run(nanobind::module_& m);
void bind_contact_run(nanobind::module_& m);
void bind_loop_closure(nanobind::module_& m);
void bind_state_dependent_loads(nanobind::module_& m);
void bind_absolute_run(nanobind::module_& m);
void bind_states(nanobind::module_& m);
void bind_stepper(nanobind::module_& m);

NB_MODULE(_core, m) {
    // Objects that outlive the interpreter, in a traceback or a test runner, are no fault of a user's program.
    nanobind::set_leak_warnings(false);
    bind_status(m);
    bind_plane(m);
    bind_space(m);
    bind_loops(m);
    bind_loads(m);
    bind_tree(m);
    bind_tree_run(m);
    bind_contact_run(m);
    bind_loop_closure(m);
    bind_state_dependent_loads(m);
    bind_absolute_run(m);
    bind_states(m);
    bind_stepper(m);
}
