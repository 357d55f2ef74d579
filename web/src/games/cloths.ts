/** The cloth of each game, as the values of tokens.css take them: `games/{name}/cloth.css`. */
import.meta.glob("./*/cloth.css", { eager: true });
