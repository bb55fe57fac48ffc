package explain

// algebraExplainers explains coalesce, composition, complement and the inverses.
func algebraExplainers() map[string]explainer {
	return map[string]explainer{
		"coalesce":    coalesceLayout,
		"layout_add":  layoutSum,
		"composition": composition,
		"complement":  complement, "complement_exact": complement, "weak_complement": complement,
		"right_inverse": invert, "inverse": invert, "left_inverse": leftInverse,
		"solve_inner": solveInner, "solve_outer": solveOuter,
	}
}
