import theme from "vitepress/theme-without-fonts";
import "../../../workbench/src/colors.css";
import "./style.css";

export default theme;
