// Renders the templates of a chart with Go's own engine and the functions of Helm that the chart uses. Reads
// {"values", "release", "chart", "templates": {path: text}} from standard input and writes {path: text}.
package main

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"text/template"
)

type input struct {
	Values    map[string]interface{} `json:"values"`
	Release   map[string]interface{} `json:"release"`
	Chart     map[string]interface{} `json:"chart"`
	Templates map[string]string      `json:"templates"`
}

func toJSON(value interface{}) (string, error) {
	text, err := json.Marshal(value)
	return string(text), err
}

func functions(all *template.Template) template.FuncMap {
	return template.FuncMap{
		"default": func(fallback interface{}, value interface{}) interface{} {
			if truth, _ := template.IsTrue(value); truth {
				return value
			}
			return fallback
		},
		"fail": func(message string) (string, error) { return "", errors.New(message) },
		"include": func(name string, data interface{}) (string, error) {
			var text strings.Builder
			err := all.ExecuteTemplate(&text, name, data)
			return text.String(), err
		},
		"list": func(items ...interface{}) []interface{} { return items },
		"nindent": func(spaces int, text string) string {
			return "\n" + strings.Repeat(" ", spaces) + strings.ReplaceAll(text, "\n", "\n"+strings.Repeat(" ", spaces))
		},
		"quote":     func(value interface{}) string { return fmt.Sprintf("%q", fmt.Sprint(value)) },
		"sha256sum": func(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text))) },
		"toJson":    toJSON,
	}
}

func render() error {
	var given input
	if err := json.NewDecoder(os.Stdin).Decode(&given); err != nil {
		return err
	}
	all := template.New("chart").Option("missingkey=error")
	all.Funcs(functions(all))
	for path, text := range given.Templates {
		if _, err := all.New(path).Parse(text); err != nil {
			return err
		}
	}
	data := map[string]interface{}{"Values": given.Values, "Release": given.Release, "Chart": given.Chart}
	rendered := map[string]string{}
	for path := range given.Templates {
		var text strings.Builder
		if err := all.ExecuteTemplate(&text, path, data); err != nil {
			return err
		}
		rendered[path] = text.String()
	}
	return json.NewEncoder(os.Stdout).Encode(rendered)
}

func main() {
	if err := render(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
