package explain

// tilingExplainers explains divides and products.
func tilingExplainers() map[string]explainer {
	t := map[string]explainer{
		"blocked_product": explainInterleaved, "raked_product": explainInterleaved, "tile_to_shape": tileToShape,
	}
	for form := range divideForms {
		t[form+"_divide"], t[form+"_divide_exact"], t[form+"_product"] = divide, divide, product
	}
	return t
}
